import { expect, it } from '@jest/globals';
import { RequestRate } from '../../../../nodes/VoiceAssistantCalling/transport/requestRate.ts';

/** Starts and ends requests of an account, all at the same moment. */
class Account {
	readonly rate = new RequestRate();

	/** Starts requests until none may start. @returns how many the service accepts of them */
	send(now: number, allowed: number): number {
		let started = 0;
		while (started < 1_000 && this.rate.waitMs(now, started) === 0) {
			this.rate.start(now);
			started++;
		}
		const accepted = Math.min(started, allowed);
		for (let count = 0; count < accepted; count++) this.rate.accept(now);
		return started;
	}

	/** The service refuses a request. @returns the end of the pause */
	refuse(now: number, askedMs: number | undefined, isLimit = true): number {
		this.rate.refuse(now, { askedMs, isLimit });
		return now + this.rate.pauseLeftMs(now);
	}
}

/** An account that has met a limit of ten a second, twice. @returns it, and the end of the second pause */
function limited() {
	const account = new Account();
	account.send(0, 5);
	let now = account.refuse(0, 1_000);
	let accepted = 0;
	// Few at first, because it was refused.
	while (accepted < 10) accepted += Math.min(account.send(now, 10 - accepted), 10 - accepted);
	now = account.refuse(now + 100, 1_000);
	return { account, now };
}

it('at first ten requests start, and one more for each that is accepted', () => {
	const account = new Account();
	expect([account.send(0, 10), account.send(1, 20), account.send(2, 40)]).toEqual([10, 20, 40]);
});

it('after the first refusal few start, because nobody knows what others have sent before', () => {
	const account = new Account();
	account.send(0, 1);
	const now = account.refuse(0, 20_000);
	expect(account.send(now, 2)).toBe(2);
	expect(account.rate.waitMs(now, 0)).toBe(0);
});

it('what the service accepts after a pause is what starts in a period from then on', () => {
	const { account, now } = limited();
	expect(account.send(now, 10)).toBe(10);
	expect(account.rate.waitMs(now + 1, 0)).toBeGreaterThan(1_000);
	expect(account.rate.waitMs(now + 1, 0)).toBeLessThan(1_100);
	expect(account.send(now + 1_100, 10)).toBe(10);
});

it('a window takes more after some time without a refusal', () => {
	const { account, now } = limited();
	const started = Array.from({ length: 12 }, (_, index) => account.send(now + index * 1_100, 100));
	expect(started[0]).toBe(10);
	expect(Math.max(...started)).toBeGreaterThan(12);
});

it('a period that was too short becomes longer when a window is refused from its start', () => {
	const { account, now } = limited();
	account.send(now, 10);
	account.send(now + 1_100, 0);
	const end = account.refuse(now + 1_100, 2_000);
	const next = end + 1_200;
	account.send(next, 10);
	expect(account.rate.waitMs(next, 0)).toBeGreaterThanOrEqual(3_000);
});

it('after a pause that was too short, one request goes first', () => {
	const account = new Account();
	account.send(0, 5);
	const first = account.refuse(0, undefined);
	account.send(first, 0);
	const second = account.refuse(first, undefined);
	expect(account.rate.waitMs(second, 0)).toBe(0);
	expect(account.rate.waitMs(second, 1)).toBe(Infinity);
});

it('a window that began with a refusal teaches no limit', () => {
	const account = new Account();
	account.send(0, 5);
	const first = account.refuse(0, 1_000);
	account.rate.start(first);
	account.rate.start(first);
	const second = account.refuse(first, 1_000);
	account.rate.accept(first);
	expect(account.send(second, 2)).toBe(2);
});

it('refusals of requests that were sent before the pause do not make it grow', () => {
	const account = new Account();
	account.send(0, 5);
	const ends = [account.refuse(0, undefined), account.refuse(1, undefined)];
	expect(Math.max(...ends)).toBeLessThanOrEqual(1_251);
});

it('a maintenance teaches nothing about the rate', () => {
	const { account, now } = limited();
	account.send(now, 10);
	const end = account.refuse(now + 500, 5_000, false);
	account.rate.start(end);
	account.rate.accept(end);
	expect(account.send(end, 9)).toBe(9);
});
