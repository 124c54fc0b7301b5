import type { IDataObject } from 'n8n-workflow';

/** Marks an answer of *Mid Call Tool > Respond*: every other response of n8n is no answer. */
export const ANSWER_HEADER = 'x-mid-call-tool-answer';

/**
 * Makes the body of an answer from a text that the assistant can say. The contract shows no shape
 * (contract/assumptions.yaml, tool-answer-fields).
 */
export const textAnswer = (text: string): IDataObject => ({ answer: text });
