import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The first moment of the sandbox, also in the pictures. */
export const NOW = '2026-01-12T09:00:00Z';

export const TOKEN = 'a-secret-api-token';
export const WEBHOOK_TOKEN = 'a-secret-webhook-token';

type Rows = Array<Record<string, unknown>>;
const text = readFileSync(join(import.meta.dirname, '../../seeds/default.yaml'), 'utf8');
const { users } = parse(text) as { users: Array<Record<'assistants' | 'leads' | 'tools', Rows>> };

/** The default seed without its calls, and with a receiver: assistant 2 has a tool, campaign 1 no lead. */
export function seed(receiver: string): object {
	const [user] = users;
	const [caller, reception] = user?.assistants ?? [];
	const settings = {
		language: 'English',
		is_webhook_active: true,
		post_call_evaluation: true,
		record_call: true,
		post_call_schema: [
			{ name: 'appointment_made', type: 'bool', description: 'Whether an appointment was made' },
			{ name: 'interest', type: 'number', description: 'Interest, from 1 to 10' },
		],
	};
	const webhook = `${receiver}/webhook`;
	const webhook_url = `${webhook}/call-completed?token=${WEBHOOK_TOKEN}`;
	return {
		users: [
			{
				...user,
				token: TOKEN,
				tools: [{ ...user?.tools[0], endpoint: `${receiver}/calendar`, method: 'POST' }],
				assistants: [
					{ ...caller, ...settings, webhook_url },
					{ ...reception, ...settings, tool_ids: [1], webhook_url: `${webhook}/reception` },
				],
				leads: user?.leads.map((lead) => ({ ...lead, campaign_id: 2 })),
				calls: [],
			},
		],
	};
}
