import { createSandbox, type Sandbox } from '../../sandbox/index.mts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';
import type { Checks } from '../support/checks.mts';
import { serviceClient, type ServiceClient } from '../support/sandbox/client.mts';
import { startReceiver, type Receiver } from '../support/sandbox/receiver.mts';

/** The first moment of the sandbox, also in the pictures. */
export const NOW = '2026-01-12T09:00:00Z';

export const TOKEN = 'a-secret-api-token';
export const WEBHOOK_TOKEN = 'a-secret-webhook-token';

/** A sandbox as somebody has it who builds a workflow. */
export interface Fixture {
	sandbox: Sandbox;
	control: SandboxClient;
	service: ServiceClient;
	/** Takes the webhooks and the requests to the tool. */
	receiver: Receiver;
}

/** Starts a sandbox whose clock is moved by hand, and who receives its webhooks. */
export async function startFixture({ cleanup }: Pick<Checks, 'cleanup'>): Promise<Fixture> {
	const receiver = await cleanup.use(startReceiver());
	const sandbox = await cleanup.use(
		createSandbox({ port: 0, clock: { mode: 'manual', now: NOW }, seed: seed(receiver.url) }),
	);
	return {
		sandbox,
		receiver,
		control: createSandboxClient(sandbox.control),
		service: serviceClient(sandbox.url, TOKEN),
	};
}

/** Assistant 1 calls the leads of campaign 1, assistant 2 is called and has a tool. */
function seed(receiver: string): object {
	const settings = {
		voice_id: 1,
		language: 'English',
		llm_model: 'gpt-4o-mini',
		engine_type: 'pipeline',
		timezone: 'Europe/Berlin',
		initial_message: 'Hello, this is the spring service. Shall we make an appointment?',
		system_prompt: 'You are friendly and brief. You make appointments for the spring service.',
		is_webhook_active: true,
		post_call_evaluation: true,
		record_call: true,
		post_call_schema: [
			{ name: 'appointment_made', type: 'bool', description: 'Whether an appointment was made' },
			{ name: 'interest', type: 'number', description: 'Interest, from 1 to 10' },
		],
	};
	const names = ['Ada Moreno', 'Ben Okafor', 'Carla Lindt', 'Dinh Tran'];
	return {
		users: [
			{
				token: TOKEN,
				balance: 25,
				phone_numbers: [
					{ id: 1, phone_number: '+14155550100', sms_capable: true },
					{ id: 2, phone_number: '+493023125000', sms_capable: false },
				],
				tools: [
					{
						id: 1,
						name: 'check_calendar',
						description: 'Use it to look up free appointments before you offer one.',
						endpoint: `${receiver}/calendar`,
						method: 'POST',
						schema: [{ name: 'day', type: 'string', description: 'The wanted day as YYYY-MM-DD' }],
					},
				],
				assistants: [
					{
						...settings,
						id: 1,
						assistant_name: 'Appointment caller',
						calls_direction: 'make',
						phone_number_id: 1,
						webhook_url: `${receiver}/webhook/call-completed?token=${WEBHOOK_TOKEN}`,
					},
					{
						...settings,
						id: 2,
						assistant_name: 'Reception',
						calls_direction: 'receive',
						phone_number_id: 2,
						tool_ids: [1],
						webhook_url: `${receiver}/webhook/reception`,
					},
				],
				campaigns: [
					{ id: 1, name: 'Spring appointments', assistant_id: 1 },
					{ id: 2, name: 'Winter survey', assistant_id: 1 },
				],
				leads: names.map((name, index) => ({
					id: index + 1,
					campaign_id: 2,
					phone_number: `+1415555010${index + 1}`,
					variables: { customer_name: name, email: 'person@example.com' },
				})),
			},
		],
	};
}

/** The receiver answers like an n8n without a published workflow: 404. */
export const refuseWebhooks = ({ receiver }: Fixture): void =>
	receiver.respondWith((_arrival, response) => {
		response
			.writeHead(404, { 'content-type': 'application/json' })
			.end('{"code":404,"message":"The requested webhook is not registered."}');
	});

/**
 * Lead 5 is added to a campaign that is started, its call is over, and the webhook has failed.
 * @returns once all has happened
 */
export async function tellStoryOfLead5(fixture: Fixture): Promise<void> {
	const { service, control } = fixture;
	refuseWebhooks(fixture);
	await service.post('/user/lead', {
		campaign_id: 1,
		phone_number: '+14155550105',
		variables: { customer_name: 'Eva Brandt', email: 'eva@example.com' },
	});
	await service.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
	await control.advance('PT5M');
	fixture.receiver.clear();
}
