import type { INodeParameters } from 'n8n-workflow';
import { n8nWith } from '../n8n/n8n.mts';
import { seedWith } from '../n8n/testEnvironment.mts';
import type { JsonObject } from '../sandbox/contract.mts';
import { ALICE } from '../sandbox/seed.mts';
import { startTestService } from '../sandbox/testService.mts';
import { PollNode } from './pollNode.mts';

const PHONE = '+4915112345611';

/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT3M';

/**
 * Starts the service for the tests of a file, with the time of n8n. Call it at the top of the file.
 *
 * @param calls of the past
 * @param skewMs how far the service's clock is ahead of n8n's
 */
export async function startPollEnvironment(calls: JsonObject[] = [], skewMs = 0) {
	const now = new Date(Date.now() + skewMs).toISOString();
	const service = await startTestService({
		seed: seedWith({ calls }),
		clock: { mode: 'manual', now },
	});
	const { control } = service;
	const startCall = async (assistantId = 1, scenario = 'answered', leadId?: number) => {
		const { id } = await control.outbound({
			assistant_id: assistantId,
			to: PHONE,
			scenario,
			...(leadId !== undefined && { lead_id: leadId }),
		});
		return id;
	};
	return {
		service,
		/** A workflow in an n8n that has Alice's credential. */
		node: (parameters: INodeParameters = {}, baseUrl = service.url) =>
			new PollNode(n8nWith({ baseUrl, apiToken: ALICE }), parameters),
		/** An assistant calls somebody. @returns the ID of the call, which has not finished */
		startCall,
		/** @returns the ID of a finished call */
		completeCall: async (...how: Parameters<typeof startCall>) => {
			const id = await startCall(...how);
			await control.advance(A_CALL);
			return id;
		},
		/** How many pages of calls a function reads. */
		requestCount: async (work: () => Promise<unknown>) => {
			const before = (await control.requests()).length;
			await work();
			return (await control.requests()).length - before;
		},
	};
}

/** The value of *Assistants*. */
export const onAssistants = (...ids: Array<number | string>): INodeParameters => ({
	assistants: { values: ids.map((value) => ({ assistantId: { __rl: true, mode: 'id', value } })) },
});
