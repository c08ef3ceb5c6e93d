// Stands here until the program does.
export {};
