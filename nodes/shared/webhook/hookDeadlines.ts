import { Deadline, HOOK_TIME_LIMIT_MS } from '../client/deadline';

/**
 * For all requests of `checkExists`, or of `create`, and for waiting until other triggers have changed the
 * same assistant (docs/decisions/0016).
 */
const PUBLISH_LIMIT_MS = 10_000;

/** The same for `delete`. It is longer than a pause of a minute, because nobody repeats `delete`. */
const UNPUBLISH_LIMIT_MS = 65_000;

/** With this and its five attempts to publish, n8n 2.41 stays below its own limit of 84 seconds. */
const UNPUBLISH_REQUEST_LIMIT_MS = 10_000;

/** The deadline of a hook that publishes. The time starts now. */
export const publishDeadline = (): Deadline =>
	new Deadline({ totalMs: PUBLISH_LIMIT_MS, requestMs: HOOK_TIME_LIMIT_MS });

/** The deadline of a hook that unpublishes. The time starts now. */
export const unpublishDeadline = (): Deadline =>
	new Deadline({ totalMs: UNPUBLISH_LIMIT_MS, requestMs: UNPUBLISH_REQUEST_LIMIT_MS });
