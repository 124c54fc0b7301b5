import type { IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors';
import { ProcessMemory } from '../shared/processMemory';
import { triggerKey } from '../shared/webhook/triggerContext';

const HOUR_MS = 3_600_000;

/** What is known about a service that no poll reaches. In milliseconds since 1970. */
interface Outage {
	since: number;
	/** How many polls have failed. */
	count: number;
	/** When a poll said so last. */
	toldAt: number;
	/** Until when the service wants no request. */
	notBefore: number;
}

const outages = new ProcessMemory<Outage>('outages');

/** Whether the service has asked for a pause that is not over. The poll then counts as failed. */
export function isPaused(context: IPollFunctions): boolean {
	const outage = outages.get(triggerKey(context));
	if (!outage || Date.now() >= outage.notBefore) return false;
	outage.count++;
	return true;
}

/** A poll has reached the service. */
export function endOutage(context: IPollFunctions): void {
	outages.delete(triggerKey(context));
}

/**
 * Notes that a poll has failed. n8n stores an execution for each poll that throws, and an outage of an hour would be
 * sixty of them.
 *
 * @returns what to throw; undefined when the outage was told within the last hour. What time does not mend is
 * always told
 */
export function outageError(context: IPollFunctions, error: unknown): unknown {
	if (!(error instanceof ServiceError) || !error.retryable) return error;
	const key = triggerKey(context);
	const now = Date.now();
	const known = outages.get(key);
	const outage = known ?? { since: now, count: 0, toldAt: now, notBefore: 0 };
	outage.count++;
	outage.notBefore = now + (error.retryAfterMs ?? 0);
	const isTold = known !== undefined && Math.abs(now - known.toldAt) < HOUR_MS;
	if (!isTold) outage.toldAt = now;
	outages.set(key, outage);
	if (isTold) return undefined;
	if (!known) return error;
	const since = new Date(outage.since).toISOString().slice(0, 16).replace('T', ' ');
	const message = `${error.message.replace(/\.$/, '')}. ${outage.count} polls have failed since ${since} UTC`;
	return new ServiceError({ ...error, message });
}
