import { withCredential, type CredentialRef, type Workflow } from '../../host/api/workflow.mts';
import { NEVER_MISS, readExample } from '../../host/n8n/examples.mts';
import { POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import { action, CALL, node, ONCE_A_YEAR, trigger, workflow } from '../support/workflows.mts';
import { ASSISTANT, SMS_NUMBER } from './seed.mts';

/** Sends an SMS with the id of each call. */
const smsForCall = (name: string, credential: CredentialRef): Workflow['nodes'][number] =>
	action(
		name,
		{
			resource: 'sms',
			operation: 'send',
			phoneNumberId: { __rl: true, mode: 'id', value: String(SMS_NUMBER) },
			to: '={{ $json.client_phone_number }}',
			body: '=Call {{ $json.id }}',
		},
		credential,
	);

/** Sends an SMS for each completed call. */
export function sendSmsForCalls(credential: CredentialRef): Workflow {
	const sms = smsForCall('Send SMS', credential);
	const nodes = [trigger('callCompleted', ASSISTANT, credential), sms];
	return workflow('Send SMS for calls', nodes, [[CALL, 'Send SMS']]);
}

/** Nodes of the example. */
export const POLL = 'Calls of the last minutes';
export const EACH_ONCE = 'Each call once';
const HANDLE = 'Handle the call';

const LOOK_UP = 'Look up the person';

/**
 * The example "Never miss a call", with a step before its Remove Duplicates, and an SMS for each call.
 *
 * @param lookUpUrl gets each call, and returns it
 */
export async function neverMissACall(
	credential: CredentialRef,
	lookUpUrl: string,
): Promise<Workflow> {
	const example = withCredential(await readExample(NEVER_MISS), credential);
	const lookUp = node(LOOK_UP, 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: lookUpUrl,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ $json }}',
		options: {},
	});
	const assistantId = { __rl: true, mode: 'id', value: String(ASSISTANT) };
	const parameters: Record<string, object> = {
		[TRIGGER]: { triggerOn: 'callCompleted', assistantId },
		[POLL_TRIGGER]: { assistants: { values: [{ assistantId }] }, pollTimes: ONCE_A_YEAR },
	};
	const nodes = example.nodes.map((one) =>
		one.name === HANDLE
			? smsForCall(HANDLE, credential)
			: { ...one, parameters: { ...(parameters[one.type] ?? one.parameters) } },
	);
	return workflow(
		example.name,
		[...nodes, lookUp],
		[
			[CALL, LOOK_UP],
			[POLL, LOOK_UP],
			[LOOK_UP, EACH_ONCE],
			[EACH_ONCE, HANDLE],
		],
	);
}
