import { afterAll, beforeEach, expect } from '@jest/globals';
import { CALLER_PHONE_NUMBER, newestCall, startCall } from './calls.mts';
import type { JsonObject } from './contract.mts';
import { startReceiver, type Arrival, type Receiver } from './receiver.mts';
import type { SandboxOptions, Service } from './service.mts';
import { startTestService } from './testService.mts';

/** The statuses of a call that has not ended. */
export const UNFINISHED_STATUSES = ['initiated', 'ringing', 'in-progress'];

/** Starts a sandbox and a receiver for all tests of a file. Call it at the top of the file. */
export async function serviceAndReceiver(
	options?: SandboxOptions,
): Promise<{ service: Service; receiver: Receiver }> {
	const [service, receiver] = await Promise.all([startTestService(options), startReceiver()]);
	beforeEach(() => receiver.clear());
	afterAll(() => receiver.close());
	return { service, receiver };
}

/** What tests of webhooks do and read, for Alice. */
export const getWebhooks = (service: Service, receiver: Receiver) => ({
	/** Assistant 1 calls lead 1. */
	outbound: (fields: JsonObject = {}) => startCall(service, { lead_id: 1, ...fields }),
	/** Somebody calls assistant 2. */
	inbound: (fields: JsonObject = {}) =>
		service.control.inbound({ assistant_id: 2, from: CALLER_PHONE_NUMBER, ...fields }),
	enableInbound: (webhook_url: string, assistant_id = 2) =>
		service.alice.post('/user/assistants/enable-inbound-webhook', { assistant_id, webhook_url }),
	newestCall: () => newestCall(service.alice),
	/** The paths of all webhooks that arrived. */
	paths: () => receiver.arrivals.map((arrival) => arrival.path),
	/** The webhook that arrived; fails unless exactly one did. */
	only: (): Arrival => {
		expect(receiver.arrivals).toHaveLength(1);
		const [arrival] = receiver.arrivals;
		if (!arrival) throw new Error('nothing arrived');
		return arrival;
	},
});
