/** Marks an answer of *Call → Respond*: every other response of n8n is no answer. */
export const ANSWER_HEADER = 'x-call-answer';

/** The field of the trigger's item with the time at which the assistant gets the fallback. */
export const ANSWER_UNTIL = 'answer_until';
