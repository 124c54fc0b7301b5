/** Ends the whole run: no further request is sent. The message tells the user why, and what to do. */
export class Stop extends Error {}

/** The message of a run that Ctrl-C ends, or its time limit. */
export const INTERRUPTED = 'The verification was interrupted, or took too long.';

/** A check cannot be made: its finding becomes `not checked`, with this message. */
export class CannotCheck extends Error {}
