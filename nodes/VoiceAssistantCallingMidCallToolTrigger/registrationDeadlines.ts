import { Deadline, HOOK_TIME_LIMIT_MS } from '../shared/client/deadline';

/**
 * Longer than other hooks have (docs/decisions/0016): a tool that is created slowly must not be given up,
 * because the service cannot delete it, and many assistants can be chosen.
 */
const TOTAL_MS = 30_000;

/** The deadlines of a hook that registers a tool. Both end at the same time. */
export interface RegistrationDeadlines {
	usual: Deadline;
	/** For the request that creates the tool: it may take all the time. */
	creation: Deadline;
}

/** The time starts now. */
export const registrationDeadlines = (): RegistrationDeadlines => ({
	usual: new Deadline({ totalMs: TOTAL_MS, requestMs: HOOK_TIME_LIMIT_MS }),
	creation: new Deadline({ totalMs: TOTAL_MS, requestMs: TOTAL_MS }),
});
