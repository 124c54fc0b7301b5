import { CALLS_PATH } from './address.mts';
import type { Client, ReceivedResponse } from './client.mts';
import { CannotCheck, finding, isObject, type Finding } from './finding.mts';

interface List {
	/** In lower case, it is the name that a page may have in place of `data`. */
	topic: string;
	path: string;
	/** What it means when it is not there. */
	without: string;
	/** Its records in contract/openapi.yaml. Without such a list, the nodes do not work. */
	schema?: 'Assistant' | 'Call';
	/** Which records are compared with others. */
	kind?: 'tools';
}

const listed = (topic: string, path: string, without: string): List => ({ topic, path, without });

const byId = (records: string): string => `Choose ${records} with 'By ID'.`;

/** The two lists of the contract, and those of public-service.md, Endpoints (S1, S2). */
const LISTS: List[] = [
	{
		...listed('Calls', `${CALLS_PATH}?per_page=100`, 'Get Many and the poll trigger need it.'),
		schema: 'Call',
	},
	{
		...listed('Assistants', '/user/assistants/get?per_page=100', 'The triggers need it.'),
		schema: 'Assistant',
	},
	listed('Campaigns', '/user/campaigns', `Campaign → Get Many needs it. ${byId('campaigns')}`),
	{
		...listed('Tools', '/user/tools', `Mid Call Tool → Get Many needs it. ${byId('tools')}`),
		kind: 'tools',
	},
	listed('Leads', '/user/leads?per_page=1', 'Lead → Get Many needs it.'),
	listed('Phone numbers', '/user/phone-numbers/all', 'Phone Number → Get Many needs it.'),
	listed('Voices', '/user/assistants/voices', byId('voices')),
	listed('Languages', '/user/assistants/languages', byId('languages')),
	listed('Models', '/user/assistants/models', byId('models')),
	listed('Numbers of assistants', '/user/assistants/phone-numbers', byId('phone numbers')),
	listed('Account', '/user/me', 'Account → Get needs it.'),
];

/** What was read of a list: its first page, and the records in it. */
export interface ReadList {
	list: List;
	found: Finding;
	body?: unknown;
	rows: unknown[];
}

/** Reads the first page of each list, one after the other. */
export async function* readLists(client: Client): AsyncGenerator<ReadList> {
	for (const list of LISTS) yield await readList(client, list);
}

async function readList(client: Client, list: List): Promise<ReadList> {
	const { topic, path, without, schema } = list;
	const told = (outcome: Finding['outcome'], text: string): ReadList => {
		const found = finding(outcome, topic, `GET ${path.replace(/\?.*/, '')} ${text}`);
		return { list, found, rows: [] };
	};
	try {
		const response = await client.get(path);
		const { status, body } = response;
		const rows = readRows(response, topic.toLowerCase());
		if (rows) return { ...told('ok', 'is there.'), body, rows };
		if (status >= 500) return told('failed', `answered ${status}.`);
		const isMissing = status === 404 || status === 405;
		const what = isMissing ? `does not exist (${status})` : `has no list (status ${status})`;
		return told(schema ? 'problem' : 'note', `${what}. ${without}`);
	} catch (error) {
		if (error instanceof CannotCheck) return told('failed', `has no answer. ${error.message}`);
		throw error;
	}
}

/** The records: bare, in `data`, or under their name; undefined when there is no list. */
function readRows({ status, body }: ReceivedResponse, name: string): unknown[] | undefined {
	if (status !== 200) return undefined;
	// The account is one record (public-service.md, GET /user/me).
	if (name === 'account') return isObject(body) ? [body] : undefined;
	const rows = isObject(body) ? (body['data'] ?? body[name]) : body;
	return Array.isArray(rows) ? (rows as unknown[]) : undefined;
}
