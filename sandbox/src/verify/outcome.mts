import type { Response } from './client.mts';
import { isTestUrl } from './randomPart.mts';
import type { Row } from './read/page.mts';
import { CannotCheck } from './stop.mts';
import { isOurs, isRestored, type AssistantUndo } from './undo.mts';

/** Whether the service has carried a request out. */
export const isAccepted = ({ status }: Pick<Response, 'status'>): boolean =>
	status >= 200 && status < 300;

/** @throws {CannotCheck} when the service failed, which says nothing of what was asked */
export function requireNoFailure({ status }: Pick<Response, 'status'>): void {
	if (status === 429 || status >= 500) throw new CannotCheck(`The service answered ${status}.`);
}

/** @throws {CannotCheck} when a write was refused */
export function requireAccepted(response: Response, what: string): void {
	if (isAccepted(response)) return;
	throw new CannotCheck(`The service refused ${what} (${response.status}).`);
}

/** @throws {CannotCheck} when a URL is that of another run, which restores the user's own */
export function requireNotTestUrl(url: string | null): void {
	if (url === null || !isTestUrl(url)) return;
	throw new CannotCheck(
		'The webhook has the URL of another run of this program. Let that run end, or start it again where it was interrupted.',
	);
}

/** @throws {CannotCheck} when the record does not have what was set, because somebody else changed it */
export function requireOurs(undo: AssistantUndo, record: Row): void {
	if (isOurs(undo, record)) return;
	throw new CannotCheck(
		isRestored(undo, record)
			? `The service accepted a change of the ${undo.kind}, and shows none.`
			: `Somebody else changed the ${undo.kind}, so it is left as it is.`,
	);
}
