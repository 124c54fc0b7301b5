import { logFailure } from '../base/dataFileError.mts';
import type { JobSource } from '../base/jobSource.mts';
import { shownUrl } from '../base/secrets.mts';
import type { Engine } from '../domain/context.mts';
import { addEvent, asClause } from '../domain/events.mts';
import { webhookContent } from '../provider/webhookContent.mts';
import { send } from './send.mts';
import { webhookHeaders } from './webhookHeaders.mts';

/** Sends a ping to the URL of a webhook, once, as soon as it is asked to (assumption: webhook-ping). */
export class WebhookPings implements JobSource {
	readonly #engine: Engine;
	readonly #inFlight = new Set<Promise<void>>();
	#abort = new AbortController();

	constructor(engine: Engine) {
		this.#engine = engine;
	}

	/** Does not wait for the answer, which the timeline tells. @param requestId the request that set the URL */
	send(url: string, requestId: number | null): void {
		const ping = this.#send(url, requestId, this.#abort.signal).finally(() =>
			this.#inFlight.delete(ping),
		);
		this.#inFlight.add(ping);
	}

	nextDue(): undefined {
		return undefined;
	}

	runDue(): number {
		return 0;
	}

	async settled(): Promise<void> {
		while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
	}

	/** Aborts what is in flight, which is not sent again. Resolves when that is done. */
	async abort(): Promise<void> {
		this.#abort.abort();
		await this.settled();
		this.#abort = new AbortController();
	}

	async #send(url: string, requestId: number | null, aborted: AbortSignal): Promise<void> {
		const { assumptions } = this.#engine;
		const content = webhookContent({ event: 'ping' }, assumptions);
		const { status, error } = await send({
			method: 'POST',
			url,
			headers: webhookHeaders(content, assumptions),
			body: content.text,
			receiver: 'receiver',
			limit: assumptions['webhook-timeout'],
			aborted,
		});
		if (aborted.aborted) return;
		const result = error === null ? `was answered ${status}.` : `failed: ${asClause(error)}`;
		try {
			this.#engine.commit((context) => {
				addEvent(context, { kind: 'weather', text: `The ping to ${shownUrl(url)} ${result}` });
			}, requestId);
		} catch (failure) {
			logFailure('The result of a ping could not be stored', failure);
		}
	}
}
