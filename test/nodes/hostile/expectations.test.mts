import { expect, it } from '@jest/globals';
import { BEHAVIOURS } from '../../support/hostileService/behaviours.mts';
import { meet } from '../../support/hostileService/meet.mts';
import type { Subject } from '../../support/hostileService/subjects/subject.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { startTestService } from '../../../sandbox/test/support/testService.mts';

const service = await startTestService();

/** A client as somebody writes it who trusts the service. */
const naive = (method: 'GET' | 'POST'): Subject => ({
	name: method,
	type: 'naive',
	isTypical: true,
	limitMs: 10_000,
	prepare: ({ url }) => {
		const init = { method, headers: { Authorization: `Bearer ${ALICE}` } };
		const ask = async () => {
			const response = await fetch(`${url}/user/calls`, init);
			const body = JSON.parse(await response.text()) as { message?: string; errors?: object };
			return response.ok ? {} : { shown: body };
		};
		return Promise.resolve(() => ask().catch(() => ask().catch((thrown: unknown) => ({ thrown }))));
	},
});

it.each([
	['a body, a byte each second', 'GET: it did not end within 10 s'],
	['a text', 'GET: it threw what is no node error: SyntaxError'],
	['a closed connection', 'POST: it sent a write 2 times'],
	['50000 field errors', 'GET: its failure has'],
	['the token in a message', 'GET: it shows the token'],
	['307 to another host', 'POST: it went to another host 1 times'],
	['the body {"data":{}}', undefined],
])('a client that trusts the service meets %s: %s', async (name, violation) => {
	const behaviours = BEHAVIOURS.filter((each) => each.name === name);
	expect(behaviours).toHaveLength(1);
	const subjects = [naive('GET'), naive('POST')];
	const found = await Promise.all(behaviours.map((each) => meet(each, subjects, service)));
	expect(found.flat().some((each) => each.startsWith(violation ?? ''))).toBe(
		violation !== undefined,
	);
});
