import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openEditor, type Editor } from '../host/api/editor.mts';
import { ADD_LEAD, THANK_BY_SMS } from '../host/n8n/examples.mts';
import { itemsOf, type Execution, type Item } from '../host/api/execution.mts';
import { hostFolder, installN8n } from '../host/n8n/installN8n.mts';
import { noticeInterruption, unlessInterrupted } from '../host/process/shutdownSignal.mts';
import { Lifetime } from '../host/process/cleanup.mts';
import { startN8n, type N8n } from '../host/n8n/startN8n.mts';
import { freePort } from '../host/process/ports.mts';
import { OWNER, setUp } from '../host/n8n/provision.mts';
import { placePackage } from '../host/n8n/installPackage.mts';
import { waitFor } from '../host/process/wait.mts';
import {
	createSandboxClient,
	type Delivery,
	type ReceivedRequest,
	type SandboxClient,
} from '../sandbox/client.mts';
import { createSandbox } from '../sandbox/index.mts';

const EXECUTION_LIMIT_MS = 30_000;
/** A call is over after a good minute of sandbox time; leads of the seed may be called first. */
const CALL_LIMIT_MINUTES = 15;
/** Longer values of an item are left out of the report. */
const VALUE_WIDTH = 100;

const interrupt = noticeInterruption();
const lifetime = new Lifetime(interrupt);
let n8n: N8n | undefined;
let steps = 0;

try {
	await unlessInterrupted(interrupt, demo());
} catch (error) {
	process.exitCode = 1;
	console.error(
		`\nFAILED at step ${steps}: ${error instanceof Error ? error.message : String(error)}`,
	);
	if (n8n !== undefined) console.error(`\nThe end of n8n's log:\n${await n8n.logTail()}`);
} finally {
	await lifetime.end();
}

async function demo(): Promise<void> {
	const folder = hostFolder('current');
	await installN8n(folder, interrupt);
	const begin = performance.now();

	step('Start the service (a sandbox on this machine) and n8n');
	const sandbox = await createSandbox({ port: 0, clock: 'manual' });
	await lifetime.atEnd(async () => await sandbox.close());
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-demo-'));
	await lifetime.atEnd(async () => await rm(userFolder, { recursive: true, force: true }));
	await placePackage(userFolder);
	n8n = await startN8n({ folder, userFolder, port: await freePort(), lifetime });
	say(`the service listens on ${sandbox.url}, n8n on ${n8n.url}`);

	await Promise.race([story(openEditor(n8n.url), sandbox), n8n.failure]);
	console.log(
		`\nThe whole story happened, in ${Math.round((performance.now() - begin) / 1000)} s.`,
	);
}

async function story(
	editor: Editor,
	sandbox: { url: string; token: string; control: string },
): Promise<void> {
	const control = createSandboxClient(sandbox.control);

	step('Sign in to n8n, make the credential, import the example workflows');
	await editor.signIn(OWNER);
	const data = { baseUrl: sandbox.url, apiToken: sandbox.token };
	const { credential, workflow } = await setUp(editor, data);
	const test = await editor.testCredential(credential, data);
	say(`n8n's test of the credential "${credential.name}": ${test.status}, ${test.message}`);
	expect(test.status === 'OK', 'n8n accepts the credential');
	const addLead = workflow(ADD_LEAD);
	const thank = workflow(THANK_BY_SMS);
	say(`imported "${addLead.name}" and "${thank.name}"`);

	step(`Publish "${thank.name}"`);
	await editor.publish(thank.id);
	const registered = await received(control, 'PUT', '/user/assistant/1');
	say(`the trigger registered itself at the assistant: ${describe(registered)}`);

	step(`Run "${addLead.name}"`);
	const added = await editor.run(addLead.id, 'Start by hand');
	report(added);
	const lead = single(itemsOf(added, 'Add the lead'), 'the lead that was added');

	step('The assistant calls the lead (the clock of the sandbox is moved on)');
	const delivery = await untilDelivered(control, lead);
	say(
		`call ${delivery.call_id} is over; the service told n8n: ${delivery.event}, ${delivery.state}`,
	);

	step(`n8n starts "${thank.name}" by itself`);
	const thanked = await waitFor('n8n to run the workflow', EXECUTION_LIMIT_MS, async () =>
		(await editor.executions(thank.id)).find((execution) =>
			itemsOf(execution, 'When a call completes').some((call) => isOf(lead, call)),
		),
	);
	report(thanked);
	const others = (await editor.executions(thank.id)).length - 1;
	say(`(The campaign called its other leads too: ${others} more executions.)`);

	step('The SMS went out');
	const sms = single(itemsOf(thanked, 'Send the thank-you'), 'the SMS');
	expect(sms.to === lead.phone_number, 'the SMS goes to the lead');
	const asked = await received(control, 'POST', '/user/sms', { to: sms.to });
	say(`the service received: ${describe(asked)}`);

	step(`Unpublish "${thank.name}"`);
	await editor.unpublish(thank.id);
	const unregistered = await received(control, 'POST', '/user/assistants/disable-webhook');
	say(`the trigger unregistered itself: ${describe(unregistered)}`);
}

function step(title: string): void {
	steps += 1;
	console.log(`\n${steps}. ${title}`);
}

function say(text: string): void {
	console.log(`   ${text}`);
}

function expect(condition: boolean, what: string): asserts condition {
	if (!condition) throw new Error(`This did not happen: ${what}.`);
}

function single(items: Item[], what: string): Item {
	const [item] = items;
	expect(item !== undefined && items.length === 1, `n8n returned ${what}`);
	return item;
}

/** Shows an execution, node by node, and fails where it failed. */
function report(execution: Execution): void {
	say(`execution ${execution.id} (${execution.mode}): ${execution.status}`);
	let before = '';
	for (const { node, outputs, error } of execution.runs) {
		const items = outputs.flat().map(inWords).join('; ');
		const returned = items === before ? 'passes it on' : items === '' ? 'no items' : items;
		say(`   ${node}: ${error ?? returned}`);
		before = items;
	}
	if (execution.status !== 'success') {
		throw new Error(`Execution ${execution.id} ended as ${execution.status}: ${execution.error}`);
	}
}

/** The plain values of an item: "id 5, phone_number +4915112345678, status created". */
function inWords(item: Item): string {
	const values = Object.entries(item)
		.filter(([, value]) => value !== null && typeof value !== 'object')
		.map(([name, value]) => [name, String(value).replaceAll('\n', ' ')] as const)
		.filter(([, text]) => text.length <= VALUE_WIDTH)
		.map(([name, text]) => `${name} ${text}`);
	return values.length === 0 ? 'an empty item' : values.join(', ');
}

/** Gives the last request of this kind, with these fields in its body, that the sandbox accepted. */
async function received(
	control: SandboxClient,
	method: string,
	path: string,
	fields: Item = {},
): Promise<ReceivedRequest> {
	const all = await control.requests();
	const found = all.findLast(
		(request) =>
			request.method === method &&
			request.path.endsWith(path) &&
			request.status === 200 &&
			Object.entries(fields).every(
				([name, value]) => isItem(request.body) && request.body[name] === value,
			),
	);
	expect(found !== undefined, `the service accepted ${method} ${path}`);
	return found;
}

function describe({ method, path, body, status }: ReceivedRequest): string {
	// A registered URL ends in the secret that only the service is to know.
	const shown = JSON.stringify(body).replace(/token=\w+/, 'token=…');
	return `${method} ${path} ${shown}, answered ${status}`;
}

/** Moves the sandbox's clock on, minute by minute, until the call of the lead has been reported. */
async function untilDelivered(control: SandboxClient, lead: Item): Promise<Delivery> {
	for (let minute = 1; minute <= CALL_LIMIT_MINUTES; minute += 1) {
		await control.advance('PT1M');
		const found = (await control.deliveries()).find(({ body }) => isOf(lead, body));
		if (found?.state === 'delivered') return found;
		if (found?.state === 'failed') {
			const attempts = found.attempts.map(({ status, error }) => error ?? `answered ${status}`);
			throw new Error(`n8n did not take the webhook of the call: ${attempts.join(', ')}.`);
		}
	}
	throw new Error(`No call of the lead was reported within ${CALL_LIMIT_MINUTES} minutes.`);
}

/** Whether a call, as the webhook or the trigger gives it, was made to this lead. */
function isOf(lead: Item, { lead: called }: Item): boolean {
	return isItem(called) && called.id === lead.id;
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;
