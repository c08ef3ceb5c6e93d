/** How sound is packed on the voice socket (cloud protocol 2.5): 1 raw, 2 with 16, 3 with 4 bytes before each packet. */
export type ProtocolVersion = 1 | 2 | 3;
