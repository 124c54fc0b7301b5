import type { Response } from './client.mts';
import { CannotCheck } from './stop.mts';

/** @throws {CannotCheck} when the service failed, which says nothing of what was asked */
export function requireNoFailure({ status }: Pick<Response, 'status'>): void {
	if (status === 429 || status >= 500) throw new CannotCheck(`The service answered ${status}.`);
}
