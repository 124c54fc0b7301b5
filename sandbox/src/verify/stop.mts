/** Ends the whole run: no further request is sent. The message tells the user why, and what to do. */
export class Stop extends Error {}

/** A check cannot be made: its finding becomes `not checked`, with this message. */
export class CannotCheck extends Error {}
