/** `open`: the account has nothing that shows it; `failed`: it could not be read. */
export type FindingOutcome = 'ok' | 'note' | 'problem' | 'open' | 'failed';

/** What the user is told about one topic: what was seen, and what it means. It has no value of the account. */
export type Finding = Readonly<{
	outcome: FindingOutcome;
	topic: string;
	text: string;
	paths: string[];
}>;

/** @param paths in records, each with what is there */
export const finding = (
	outcome: FindingOutcome,
	topic: string,
	text: string,
	paths: string[] = [],
): Finding => ({ outcome, topic, text, paths });

/** Ends the run: no further request is sent. The message says why, and what to do. */
export class Stop extends Error {}

/** One request has no usable response. The run goes on. */
export class CannotCheck extends Error {}

export const isObject = (value: unknown): value is { [field: string]: unknown } =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
