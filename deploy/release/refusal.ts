/** What stops a release from being made, in a sentence that says what to do about it; no stack is shown for it. */
export class Refusal extends Error {}
