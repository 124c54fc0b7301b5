import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RuleSet } from '../src/faults/ruleSet.mts';
import { SandboxEngine } from '../src/runtime/engine.mts';
import { A_CALL, completeCall, enableWebhook, startCall } from './support/calls.mts';
import { startOwnService } from './support/testService.mts';
import { serviceAndReceiver } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
let told: jest.SpiedFunction<typeof console.error>;
beforeEach(() => {
	told = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** Lets the next writes of the sandbox fail, as on a full disk. */
function failToCommit(times: number): void {
	const commit = jest.spyOn(SandboxEngine.prototype, 'commit');
	for (let failure = 0; failure < times; failure += 1) {
		commit.mockImplementationOnce(() => {
			throw new Error('database or disk is full');
		});
	}
}

describe('data that cannot be written', () => {
	it('the result of a delivery is written down later, and the webhook not sent twice', async () => {
		receiver.respondWith((_arrival, response) => {
			failToCommit(2);
			response.writeHead(200).end('{}');
		});
		await enableWebhook(service.alice, 1, receiver.url);
		const { webhook_response } = await completeCall(service);
		expect(webhook_response).toMatchObject({ status: 200 });
		expect(await service.control.deliveries()).toMatchObject([
			{ state: 'delivered', attempts: [expect.anything()] },
		]);
		await service.control.advance('P1D');
		expect(receiver.arrivals).toHaveLength(1);
		expect(told).toHaveBeenCalledTimes(1);
	});

	it('a fault of webhooks is not used up by a call whose end cannot be written down', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await service.control.fault({ target: 'deliveries', delay: 'PT1S' });
		await startCall(service);
		const taken = jest.spyOn(RuleSet.prototype, 'take');
		taken.mockImplementationOnce(function (this: RuleSet<never, unknown>, ...given) {
			// Not this implementation, which is used once.
			this.take(...given);
			throw new Error('database or disk is full');
		});
		await service.control.request('POST', '/clock', { advance: A_CALL });
		await service.control.advance(A_CALL);
		expect(taken).toHaveBeenCalledTimes(3);
		expect(await service.control.deliveries()).toMatchObject([{ fault_rule: { id: 1 } }]);
	});

	it('a call goes on when its step can be written down', async () => {
		await using own = await startOwnService({ clock: { mode: 'accelerated', speed: 60 } });
		await enableWebhook(own.alice, 1, receiver.url);
		await startCall(own);
		failToCommit(1);
		await receiver.arrived(1);
		expect(told).toHaveBeenCalledWith(
			expect.stringContaining('could not run what is due'),
			expect.objectContaining({ message: 'database or disk is full' }),
		);
	});
});
