import { CALLS_PATH } from './address.mts';
import type { Client, Response } from './client.mts';
import { CannotCheck, isObject, type Finding } from './finding.mts';

interface List {
	/** In lower case, it is the name that a page may have in place of `data`. */
	topic: string;
	path: string;
	/** What it means when it is not there. */
	without: string;
	/** Its records in contract/openapi.yaml. Without such a list, the nodes do not work. */
	schema?: 'Assistant' | 'Call';
}

/** The two lists of the contract, and those of public-service.md, Endpoints (S1, S2). */
const LISTS: List[] = [
	{
		...{ topic: 'Calls', path: `${CALLS_PATH}?per_page=100`, schema: 'Call' },
		without: 'Call → Get Many and the poll trigger need it.',
	},
	{
		...{ topic: 'Assistants', path: '/user/assistants/get?per_page=100', schema: 'Assistant' },
		without: 'The triggers and all fields for an assistant need it.',
	},
	{ topic: 'Campaigns', path: '/user/campaigns', without: "Choose campaigns with 'By ID'." },
	...[
		['Tools', '/user/tools'],
		['Leads', '/user/leads?per_page=1'],
		['Phone numbers', '/user/phone-numbers/all'],
		['Voices', '/user/assistants/voices'],
		['Languages', '/user/assistants/languages'],
		['Models', '/user/assistants/models'],
		['Numbers of assistants', '/user/assistants/phone-numbers'],
		['Account', '/user/me'],
	].map(([topic = '', path = '']) => ({ topic, path, without: 'No node depends on it.' })),
];

/** What was read of a list: its first page, and the records in it. */
export interface ReadList {
	list: List;
	finding: Finding;
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
		const finding = { outcome, topic, text: `GET ${path.replace(/\?.*/, '')} ${text}` };
		return { list, finding, rows: [] };
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
function readRows({ status, body }: Response, name: string): unknown[] | undefined {
	// The account is one record (public-service.md, GET /user/me).
	const isRecord = name === 'account' && isObject(body);
	const rows = isObject(body) && !isRecord ? (body['data'] ?? body[name]) : [body].flat();
	return status === 200 && Array.isArray(rows) && body !== undefined ? rows : undefined;
}
