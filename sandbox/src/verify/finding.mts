/** What the user is told about one topic. It has no value of the account. */
export interface Finding {
	/** `open`: the account has nothing that shows it; `failed`: it could not be read. */
	outcome: 'ok' | 'note' | 'problem' | 'open' | 'failed';
	topic: string;
	/** What was seen, and what it means for the nodes. */
	text: string;
	/** JSON paths, each with what is there. */
	paths?: string[];
}

/** Ends the run: no further request is sent. The message says why, and what to do. */
export class Stop extends Error {}

/** One request has no usable response. The run goes on. */
export class CannotCheck extends Error {}

export const isObject = (value: unknown): value is { [field: string]: unknown } =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
