import type { IDataObject } from 'n8n-workflow';

import { connectionProblem } from './connectionProblem';
import { readAnswer, type Answer } from './readAnswer';
import { ServiceProblem } from './serviceProblem';

const MAX_TRIES = 4;
const FIRST_BACKOFF_MS = 500;
const MAX_WAIT_MS = 60_000;

/** One request and how it may wait. */
export interface Exchange {
	/** A request that only reads (GET) may be repeated after any failure. */
	isRead: boolean;
	/**
	 * Sends it once; throws what the HTTP client throws where no answer came, or a
	 * {@link ServiceProblem} where it was not to be sent.
	 */
	send: () => Promise<Answer>;
	/** Waits; `forAll` when the service asked everybody to slow down (429). */
	pause: (ms: number, forAll: boolean) => Promise<void>;
}

const sendOnce = ({ send, isRead }: Exchange): Promise<IDataObject | ServiceProblem> =>
	send().then(
		(answer) => readAnswer(answer, isRead),
		(error) => (error instanceof ServiceProblem ? error : connectionProblem(error, isRead)),
	);

/** How long to wait before the next try, or undefined where there must be none. */
function waitBeforeNextTry(problem: ServiceProblem, tries: number, isRead: boolean) {
	const mayRepeat = problem.passing && (isRead || problem.httpCode === '429');
	if (!mayRepeat || tries >= MAX_TRIES) return undefined;
	const wait = problem.retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** (tries - 1);
	return wait <= MAX_WAIT_MS ? wait : undefined;
}

/** Says how long the service wants to be left alone, where that is longer than a step should wait. */
function inWords(problem: ServiceProblem): ServiceProblem {
	if (problem.retryAfterMs === undefined || problem.retryAfterMs <= MAX_WAIT_MS) return problem;
	const minutes = Math.ceil(problem.retryAfterMs / 60_000);
	return new ServiceProblem({
		...problem,
		message: problem.message,
		description: `It asks to wait ${minutes} minutes. ${problem.description}`,
	});
}

/**
 * Sends one request to the service and reads its answer. A request that was refused for coming too
 * fast (429) is sent again after the wait that the service asks for, any other failure is repeated for
 * reads only: a write is never sent twice unless the service clearly refused it.
 *
 * @returns the body of the successful answer
 * @throws {ServiceProblem} when the request did not succeed within 4 tries, or would have to wait
 * longer than a minute for one
 */
export async function exchange(request: Exchange): Promise<IDataObject> {
	for (let tries = 1; ; tries++) {
		const result = await sendOnce(request);
		if (!(result instanceof ServiceProblem)) return result;
		const wait = waitBeforeNextTry(result, tries, request.isRead);
		if (wait === undefined) throw inWords(result);
		await request.pause(wait, result.httpCode === '429');
	}
}
