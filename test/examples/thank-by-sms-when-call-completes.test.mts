import { afterAll, afterEach, expect, it } from '@jest/globals';
import { TRIGGER } from '../../host/n8n/names.mts';
import { startWebhookServer } from '../support/trigger/webhookServer.mts';
import { Lifecycle } from '../support/trigger/lifecycle.mts';
import { TriggerNode } from '../support/trigger/triggerNode.mts';
import { nodeOf, readExample } from './example.mts';
import { runExample, startExampleEnvironment } from './testEnvironment.mts';

const environment = await startExampleEnvironment();
const { n8n, control } = environment;
const webhookServer = await startWebhookServer();
afterEach(() => environment.reset());
afterAll(() => environment.close());

const example = readExample('thank-by-sms-when-call-completes.json');
const { name, parameters } = nodeOf(example, TRIGGER);

/** Publishes the trigger, lets assistant 1 make a call, and runs what the webhook started. */
async function afterCall(call: { to: string; lead_id?: number; scenario?: string }) {
	const instance = { id: 'instance-1', n8n, webhookUrl: webhookServer.url, warnings: [] };
	const trigger = new Lifecycle(new TriggerNode(instance, { nodeName: name, parameters }));
	webhookServer.serve(trigger);
	await trigger.publish();
	await control.outbound({ assistant_id: 1, ...call });
	await control.advance('PT30M');
	const [started, ...others] = webhookServer.executions;
	if (!started || others.length > 0)
		throw new Error('The call did not start exactly one execution');
	return await runExample(n8n, example, name, started.items);
}

const sent = async () =>
	(await environment.written()).filter(({ path }) => path === '/api/user/sms');

it('thanks the person who was called, by name', async () => {
	const output = await afterCall({ to: '+14155550101', lead_id: 1 });
	const body = {
		from: 1,
		to: '+14155550101',
		body: 'Thank you for the call, Ada Moreno! We are looking forward to hearing from you again.',
	};
	expect(await sent()).toEqual([{ path: '/api/user/sms', body }]);
	expect(output['Send the thank-you']?.map(({ json }) => json)).toEqual([
		expect.objectContaining({ to: '+14155550101', status: 'sent' }),
	]);
});

it('has words for somebody who is no lead', async () => {
	await afterCall({ to: '+14155550177' });
	expect(await sent()).toEqual([
		{
			path: '/api/user/sms',
			body: expect.objectContaining({
				to: '+14155550177',
				body: expect.stringContaining('Thank you for the call, it was good to talk to you!'),
			}),
		},
	]);
});

it.each(['no-answer', 'busy', 'failed'])('sends nothing after %s', async (scenario) => {
	const output = await afterCall({ to: '+14155550101', lead_id: 1, scenario });
	expect(output).toHaveProperty([name]);
	expect(output).not.toHaveProperty(['Send the thank-you']);
	expect(await sent()).toEqual([]);
});
