import { isDeepStrictEqual, parseArgs } from 'node:util';

import type { Editor } from '../host/api/editor.mts';
import { getItems, type Execution, type Item } from '../host/api/execution.mts';
import { parseWorkflow } from '../host/api/workflow.mts';
import { ADD_LEAD, BOOK_APPOINTMENT, SET_UP, THANK_BY_SMS } from '../host/n8n/examples.mts';
import { installN8n } from '../host/n8n/installN8n.mts';
import { provision } from '../host/n8n/provision.mts';
import { startN8nWithPackage } from '../host/n8n/startN8nWithPackage.mts';
import { errorMessage } from '../host/process/errorMessage.mts';
import { runCommand } from '../host/process/runCommand.mts';
import { temporaryFolder } from '../host/process/temporaryFolder.mts';
import { waitFor } from '../host/process/wait.mts';
import {
	createSandboxClient,
	type Delivery,
	type ReceivedRequest,
	type SandboxClient,
	type ToolRequest,
} from '../sandbox/client.mts';
import { createSandbox, type Sandbox } from '../sandbox/index.mts';

const EXECUTION_LIMIT_MS = 30_000;
/** A call takes about a minute of sandbox time; leads of the seed may be called first. */
const CALL_LIMIT_MINUTES = 15;
/** The number in the example, and one whose last digits choose the sandbox's scenario *tool-call*. */
const CONTACT = '+14155550123';
const ASKS_TOOL = '+14155599907';
/** Longer values of an item are left out of the report. */
const VALUE_WIDTH = 100;

const USAGE = `Usage: npm run demo

Starts a whole n8n with the package and a sandbox, tells the main story with three of the examples, and
stops both.
`;

let steps = 0;
// The end of the story sets it to 0.
process.exitCode = 1;

await runCommand(async (cleanup) => {
	const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
	if (values.help) {
		console.log(USAGE);
		process.exitCode = 0;
		return;
	}
	await installN8n('current', cleanup.shutdownSignal);
	const begin = performance.now();

	step('Start the service (a sandbox on this machine) and n8n');
	const sandbox = await cleanup.use(createSandbox({ port: 0, clock: 'manual' }));
	const userFolder = await temporaryFolder('n8n-demo', cleanup);
	const { n8n, editor } = await startN8nWithPackage({ host: 'current', userFolder, cleanup });
	say(`the service listens on ${sandbox.url}, n8n on ${n8n.url}`);

	try {
		await Promise.race([story(editor, sandbox), n8n.failure]);
	} catch (error) {
		const message = `FAILED at step ${steps}: ${errorMessage(error)}\n\nThe end of n8n's log:\n`;
		throw new Error(message + (await n8n.logTail()), { cause: error });
	}
	const seconds = Math.round((performance.now() - begin) / 1000);
	console.log(`\nThe whole story happened, in ${seconds} s.`);
	process.exitCode = 0;
});

async function story(editor: Editor, sandbox: Sandbox): Promise<void> {
	const client = createSandboxClient(sandbox.control);

	step('Store the credential and import the example workflows');
	const { credential, workflow } = await provision(editor, sandbox);
	const account = { baseUrl: sandbox.url, apiToken: sandbox.token };
	const test = await editor.testCredential(credential, account);
	say(`n8n's test of the credential "${credential.name}": ${test.status}, ${test.message}`);
	expect(test.status === 'OK', 'n8n accepts the credential');
	const addLead = workflow(ADD_LEAD);
	const answer = workflow(BOOK_APPOINTMENT);
	const thank = workflow(THANK_BY_SMS);
	say(`imported "${addLead.name}", "${answer.name}" and "${thank.name}"`);

	step(`Make the table of "${thank.name}", and publish it`);
	report(await editor.run(thank.id, SET_UP));
	await editor.publish(thank.id);
	const registered = await lastAccepted(client, 'PUT', '/user/assistant/1');
	say(`the trigger registered itself at the assistant: ${describe(registered)}`);

	step(`Make the table of "${answer.name}", and publish it`);
	report(await editor.run(answer.id, SET_UP));
	await editor.publish(answer.id);
	const attached = await lastAccepted(client, 'PUT', '/user/assistant/1');
	say(`its triggers created their tools and gave them to the assistant: ${describe(attached)}`);

	step(`Run "${addLead.name}", with a person in whose call the assistant uses its tool`);
	const withContact = JSON.stringify(await editor.workflow(addLead.id));
	const asksTool = parseWorkflow(JSON.parse(withContact.replace(CONTACT, ASKS_TOOL)));
	await editor.saveWorkflow(addLead.id, asksTool);
	const added = await editor.run(addLead.id, 'Start by hand');
	report(added);
	const lead = single(getItems(added, 'Add the lead'), 'the lead that was added');

	step('The assistant calls the lead (the clock of the sandbox is moved on)');
	const asked = await advanceToToolRequest(client);
	const wanted = JSON.stringify(asked.arguments);
	say(
		`in the middle of call ${asked.call_id}, the assistant asks its tool ${asked.tool_name}: ${wanted}`,
	);

	step(`n8n answers with "${answer.name}", while the lead waits on the phone`);
	const answered = await waitFor('n8n to run the workflow', EXECUTION_LIMIT_MS, async () =>
		(await editor.executions(answer.id)).at(0),
	);
	report(answered);
	const { answer: said } = JSON.parse(asked.answer) as { answer: string };
	expect(said.includes(wantedWords(answered)), 'the answer is what the table has');
	say(`the assistant gets the answer after ${asked.latency_ms} ms: ${said}`);

	step('The call goes on, and completes');
	const { call_id, event, state, body } = await advanceToDelivery(client, lead);
	expect(call_id === asked.call_id, 'the assistant asked in the call of the lead');
	say(`call ${call_id} is over; the service told n8n: ${event}, ${state}`);
	const transcript = String(body.transcript).split('\n');
	expect(transcript.includes(`Assistant: ${said}`), 'the assistant said the answer');
	say('the transcript of the call:');
	for (const line of transcript) say(`   ${line}`);

	step(`n8n starts "${thank.name}" by itself`);
	const thanked = await waitFor('n8n to run the workflow', EXECUTION_LIMIT_MS, async () =>
		(await editor.executions(thank.id)).find((execution) =>
			getItems(execution, 'When a call completes').some((call) => isCallTo(lead, call)),
		),
	);
	report(thanked);
	const others = (await editor.executions(thank.id)).length - 1;
	say(`(The campaign called its other leads too: ${others} more executions.)`);

	step('The SMS went out');
	const sms = single(getItems(thanked, 'Send the thank-you'), 'the SMS');
	expect(sms.to === lead.phone_number, 'the SMS goes to the lead');
	const request = await lastAccepted(client, 'POST', '/user/sms', { to: sms.to });
	say(`the service received: ${describe(request)}`);

	step(`Unpublish "${thank.name}" and "${answer.name}"`);
	await editor.unpublish(thank.id);
	const unregistered = await lastAccepted(client, 'PUT', '/user/assistant/1', {
		is_webhook_active: false,
	});
	say(`the trigger unregistered itself: ${describe(unregistered)}`);
	await editor.unpublish(answer.id);
	const detached = await lastAccepted(client, 'PUT', '/user/assistant/1', { tool_ids: [] });
	say(`its triggers took their tools from the assistant: ${describe(detached)}`);
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

/** Prints an execution, node by node. @throws Error when it failed */
function report(execution: Execution): void {
	say(`execution ${execution.id} (${execution.mode}): ${execution.status}`);
	let before = '';
	for (const { node, outputs, error } of execution.runs) {
		const items = outputs.flat().map(itemText).join('; ');
		const returned = items === before ? 'passes it on' : items === '' ? 'no items' : items;
		say(`   ${node}: ${error ?? returned}`);
		before = items;
	}
	if (execution.status !== 'success') {
		throw new Error(`Execution ${execution.id} ended as ${execution.status}: ${execution.error}`);
	}
}

/** The plain values of an item: "id 5, phone_number +4915112345678, status created". */
function itemText(item: Item): string {
	const values = Object.entries(item)
		.filter(([, value]) => value !== null && typeof value !== 'object')
		.map(([name, value]) => [name, String(value).replaceAll('\n', ' ')] as const)
		.filter(([, text]) => text.length <= VALUE_WIDTH)
		.map(([name, text]) => `${name} ${text}`);
	return values.length === 0 ? 'an empty item' : values.join(', ');
}

/** Gives the last request with these fields in its body that the sandbox accepted. */
async function lastAccepted(
	client: SandboxClient,
	method: string,
	path: string,
	fields: Item = {},
): Promise<ReceivedRequest> {
	const found = (await client.requests()).findLast((request) => {
		const isWanted = request.method === method && request.path.endsWith(path);
		const body = { ...(request.body as Item | null) };
		const names = Object.entries(fields);
		const isEqual = names.every(([name, value]) => isDeepStrictEqual(body[name], value));
		return isWanted && request.status === 200 && isEqual;
	});
	expect(found !== undefined, `the service accepted ${method} ${path}`);
	return found;
}

function describe({ method, path, body, status }: ReceivedRequest): string {
	// The token of a registered URL is a secret.
	const shown = JSON.stringify(body).replace(/token=\w+/, 'token=…');
	return `${method} ${path} ${shown}, answered ${status}`;
}

/**
 * What the answer of the bookings must have. n8n registers the two tools in any order, and the assistant asks the
 * first one: for the free times of a day, or to book one.
 */
function wantedWords(answered: Execution): string {
	const [booked] = getItems(answered, 'Confirm the booking');
	if (booked) return 'is booked';
	if (getItems(answered, 'Say that it is taken').length > 0) return 'not free';
	const slot = getItems(answered, 'Free times of the day')[0]?.slot;
	return typeof slot === 'string' ? slot.slice(-'09:00'.length) : 'Nothing is free';
}

/** Moves the sandbox's clock until an assistant has asked its tool. @throws Error without an answer */
async function advanceToToolRequest(client: SandboxClient): Promise<ToolRequest> {
	const request = await advanceUntil('No assistant asked its tool', client, async () =>
		(await client.toolRequests()).at(0),
	);
	const { state, status, error } = request;
	const isAnswered = state === 'answered' && status === 200;
	expect(isAnswered, `n8n answered the assistant (${error ?? `status ${status}`})`);
	return request;
}

/** Moves the sandbox's clock until the call of the lead is delivered. */
async function advanceToDelivery(client: SandboxClient, lead: Item): Promise<Delivery> {
	return await advanceUntil('No call of the lead was delivered', client, async () => {
		const found = (await client.deliveries()).find(({ body }) => isCallTo(lead, body));
		if (found?.state === 'failed') {
			const attempts = found.attempts.map(({ status, error }) => error ?? `answered ${status}`);
			throw new Error(`n8n did not accept the webhook of the call: ${attempts.join(', ')}.`);
		}
		return found?.state === 'delivered' ? found : undefined;
	});
}

/** Moves the sandbox's clock, minute by minute, until there is a result. */
async function advanceUntil<Result>(
	failure: string,
	client: SandboxClient,
	find: () => Promise<Result | undefined>,
): Promise<Result> {
	for (let minute = 1; minute <= CALL_LIMIT_MINUTES; minute += 1) {
		await client.advance('PT1M');
		const found = await find();
		if (found !== undefined) return found;
	}
	throw new Error(`${failure} within ${CALL_LIMIT_MINUTES} minutes.`);
}

/** Whether a call, as the webhook or the trigger gives it, was made to this lead. */
function isCallTo(lead: Item, { lead: called }: Item): boolean {
	return (called as Item | null | undefined)?.id === lead.id;
}
