import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { A_CALL } from '../../../sandbox/test/support/calls.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import {
	startTriggerEnvironment,
	type TriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import {
	getTools,
	newestTool,
	SECRET,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const notFilling = await startTriggerEnvironment({ assume: { 'tool-placeholders': [] } });
const webhookServer = await startWebhookServer();

const CALLER = '+4915112345611';
/** That of assistant 1. */
const ASSISTANT_PHONE = '+4915112345601';

/** A workflow whose tool is published at a service. */
async function publish(
	parameters: IDataObject = {},
	{ instance }: TriggerEnvironment = environment,
) {
	const node = toolTrigger(instance({ webhookUrl: webhookServer.url }), {
		parameters: triggerParameters([1, 2], { parameters: {}, ...parameters }),
	});
	await webhookServer.serve(new EmulatedLifecycle(node)).publish();
}

const onlyItem = () => {
	expect(webhookServer.items).toHaveLength(1);
	return webhookServer.items[0] ?? {};
};

/** Somebody calls an assistant, which uses the tool. @returns what the workflow gets */
async function itemOfCall(
	from: string | undefined,
	{ service: { control } }: TriggerEnvironment = environment,
	assistant_id = 1,
) {
	const tool = { name: 'get_free_slots', arguments: {} };
	await control.inbound({ assistant_id, tool, ...(from !== undefined && { from }) });
	await control.advance(A_CALL);
	return onlyItem();
}

type SentHeaders = Record<string, string | string[]>;

/** A request of the tool with these headers, as bytes; a list is sent as several headers. */
async function sendHeaders(headers: SentHeaders): Promise<number | undefined> {
	const { endpoint, secret } = await newestTool(environment);
	const sent = request(endpoint, { method: 'POST', headers: { [SECRET]: secret, ...headers } });
	const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
	return response.resume().statusCode;
}

async function itemOf(headers: SentHeaders) {
	expect(await sendHeaders(headers)).toBe(200);
	return onlyItem();
}

const asBytes = (text: string) => Buffer.from(text).toString('latin1');

const detailNames = (placeholders: Record<string, string>) => ({
	options: {
		callDetailNames: {
			detail: Object.entries(placeholders).map(([name, placeholder]) => ({ name, placeholder })),
		},
	},
});

describe('with a service that fills in who is calling', () => {
	it('the item has the phone numbers of both, and the assistant', async () => {
		await publish();
		expect(await itemOfCall(CALLER)).toMatchObject({
			tool: 'get_free_slots',
			call: { customer_phone: CALLER, assistant_phone: ASSISTANT_PHONE, assistant_id: 1 },
		});
	});

	it('the UUID of an assistant is no ID, and has its own name', async () => {
		await publish();
		const uuid = '0c1d7a2e-6f3b-4b57-9d5e-0a1b2c3d4e5f';
		expect(await itemOf({ 'X-Call-Assistant-Id': uuid })).toMatchObject({
			call: { assistant_uuid: uuid },
		});
		expect(onlyItem().call).not.toHaveProperty('assistant_id');
	});

	it('a suppressed number is left out', async () => {
		await publish();
		const { call } = await itemOfCall(undefined);
		expect(call).toEqual({ assistant_phone: ASSISTANT_PHONE, assistant_id: 1 });
	});

	it('names and placeholders can be chosen, also those that HTTP cannot carry as they are', async () => {
		await publish(
			detailNames({
				caller: 'customer_phone',
				// n8n's editor makes an expression of what is pasted with two brackets.
				line: '={{ assistant_name }}',
				greeting: 'Hello {{customer_phone}}!',
				lead: 'customer_name',
				vapi_number: '{caller_number}',
			}),
		);
		await environment.updateAssistant({ assistant_name: 'Zoë 🌍\r\nX-Call-Caller: +491' });
		const { call } = await itemOfCall(CALLER);
		expect(call).toEqual({
			caller: CALLER,
			line: 'Zoë 🌍 X-Call-Caller: +491',
			greeting: `Hello ${CALLER}!`,
		});
	});
});

it('with a service that fills in nothing, the item has nothing of the call', async () => {
	await publish({}, notFilling);
	expect(await itemOfCall(CALLER, notFilling)).toMatchObject({ call: {} });
});

it('a trigger that has them switched off registers no headers, and its item has no call', async () => {
	await publish({ options: { callDetails: false } });
	expect((await getTools(environment)).at(-1)?.headers).toMatchObject([{ name: SECRET }]);
	expect(await itemOfCall(CALLER)).not.toHaveProperty('call');
});

describe('what the service sends in a header', () => {
	const PHONE = 'X-Call-Customer-Phone';

	it.each<[string, string | string[], unknown]>([
		['a number with its country code', CALLER, CALLER],
		['a number as people write it', ' +49 (0)151 123456-11 ', CALLER],
		['a number that has lost its +', '4915112345611', CALLER],
		['a link', 'tel:+4915112345611', CALLER],
		['a number that no country has', '101', '101'],
		['nothing', '', undefined],
		['spaces', '  ', undefined],
		['the placeholder', '{{customer_phone}}', undefined],
		['the placeholder, written differently', '{{ customer_phone }}', undefined],
		['a word in place of a suppressed number', 'anonymous', undefined],
		['two headers of this name', [CALLER, '+491701234567'], undefined],
		['the same header twice', [CALLER, CALLER], undefined],
	])('%s', async (_what, value, expected) => {
		await publish();
		const { call } = await itemOf({ [PHONE]: value });
		expect(call).toEqual(expected === undefined ? {} : { customer_phone: expected });
	});

	it('is read as UTF-8, and as Latin-1 if it is none', async () => {
		await publish(detailNames({ first: 'a', second: 'b' }));
		const { call } = await itemOf({ 'X-Call-First': asBytes('Zoë'), 'X-Call-Second': 'Zo\xeb' });
		expect(call).toEqual({ first: 'Zoë', second: 'Zoë' });
	});

	it('stays out of the item unless the trigger asked for it', async () => {
		await publish(detailNames({ constructor: 'a' }));
		const { call } = await itemOf({
			'X-Call-Constructor': 'b',
			[PHONE]: CALLER,
			'X-Forwarded-For': '192.0.2.1',
		});
		expect(call).toEqual({ constructor: 'b' });
	});

	it('cannot be a second secret', async () => {
		await publish();
		const { secret } = await newestTool(environment);
		expect(await sendHeaders({ [SECRET]: [secret, '0'], [PHONE]: CALLER })).toBe(401);
		expect(webhookServer.items).toEqual([]);
	});

	it('is nothing that a person can say', async () => {
		await publish({
			parameters: {
				parameter: [{ name: 'call', type: 'string', description: 'What is said' }],
			},
		});
		const said = { call: '{"customer_phone":"+491"}', 'X-Call-Customer-Phone': '+491' };
		const { control } = environment.service;
		const tool = { name: 'get_free_slots', arguments: said };
		await control.inbound({ assistant_id: 1, tool });
		await control.advance(A_CALL);
		expect(onlyItem()).toMatchObject({
			parameters: { call: said.call },
			call: { assistant_phone: ASSISTANT_PHONE, assistant_id: 1 },
		});
		expect(onlyItem().call).not.toHaveProperty('customer_phone');
	});
});
