/** What somebody gave the sandbox cannot be used; the message tells them why. */
export class InvalidInput extends Error {}
