import { expect, it, jest } from '@jest/globals';
import { RequestQueue } from '../src/outbound/requestQueue.mts';

it('a request that a defect has stopped is logged once, and sent again', async () => {
	const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
	let sent = 0;
	let isPending = true;
	const queue = new RequestQueue({
		what: 'delivery',
		maxInFlight: 1,
		pending: () => (isPending ? [{ id: 1 }] : []),
		due: () => 0,
		send: () => {
			sent += 1;
			if (sent < 3) return Promise.reject(new RangeError('Invalid time value'));
			return Promise.resolve(() => (isPending = false));
		},
	});
	queue.runDue(0);
	await queue.settled();
	expect({ sent, next: queue.nextDue() }).toEqual({ sent: 3, next: undefined });
	expect(log).toHaveBeenCalledTimes(1);
	log.mockRestore();
});
