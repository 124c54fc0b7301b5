import { bundle, createConfig } from '@redocly/openapi-core';

/** Each operation of the action node, and the operation of the service whose answer it shows. */
const ANSWERED_BY = {
	'assistant/create': 'createAssistant',
	'assistant/disableInboundWebhook': 'disableInboundWebhook',
	'assistant/disableWebhook': 'disableWebhook',
	'assistant/enableInboundWebhook': 'enableInboundWebhook',
	// An update enables the webhook: see enable-webhook-operation in contract/assumptions.yaml.
	'assistant/enableWebhook': 'updateAssistant',
	'assistant/get': 'listAssistants',
	'assistant/getAll': 'listAssistants',
	'assistant/update': 'updateAssistant',
	'call/downloadRecording': 'listCalls',
	'call/get': 'listCalls',
	'call/getAll': 'listCalls',
	'campaign/start': 'updateCampaignStatus',
	'campaign/stop': 'updateCampaignStatus',
	'lead/create': 'createLead',
	'sms/send': 'sendSms',
	'midCallTool/create': 'createTool',
	'midCallTool/update': 'updateTool',
} as const;

/**
 * The fields of a simplified record, which is the output by default. A test compares the previews with
 * the output of the node.
 */
const SIMPLIFIED: Record<string, string[]> = {
	listAssistants: [
		'id',
		'name',
		'type',
		'status',
		'phone_number_id',
		'language',
		'voice_id',
		'timezone',
		'is_webhook_active',
		'variables',
	],
	listCalls: [
		'id',
		'outcome',
		'status',
		'type',
		'client_phone_number',
		'assistant_name',
		'created_at',
		'duration',
		'variables',
		'transcript',
	],
};

/** The fields that the node adds to the records of an operation of the service. */
const ADDED: Record<string, Record<string, Schema>> = {
	listCalls: { outcome: { type: 'string' } },
	createLead: { result: { type: 'string' } },
};

const text: Preview = { type: ['string', 'null'] };

/** Who receives requests, in the output of Get Webhook Status. */
const receiver: Record<string, Preview> = {
	receiver: { type: 'string' },
	host: text,
	url: text,
	workflow_id: text,
	node_id: text,
};

const webhook: Preview = {
	type: 'object',
	properties: { is_active: { type: 'boolean' }, ...receiver },
};

const toolReceiver: Preview = {
	type: 'object',
	properties: { id: { type: 'integer' }, name: { type: 'string' }, ...receiver },
};

/** The output of operations that is not the answer of the service. */
const OWN_OUTPUT: Record<string, Preview> = {
	'assistant/getWebhookStatus': {
		type: 'object',
		properties: {
			assistant_id: { type: 'integer' },
			assistant_name: { type: 'string' },
			call_completed: webhook,
			inbound_call_completed: webhook,
			mid_call_tools: { type: 'array', items: toolReceiver },
		},
	},
	'lead/update': {
		type: 'object',
		properties: { message: { type: 'string' }, phone_number: { type: 'string' } },
	},
};

interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	maxItems?: number;
	allOf?: Schema[];
}

interface Operation {
	operationId: string;
	responses: Record<string, { content: { 'application/json': { schema: Schema } } }>;
}

interface Document {
	paths: Record<string, Partial<Record<'get' | 'post' | 'put', Operation>>>;
}

/** What n8n's editor reads of a JSON Schema: it knows no compositions. */
type Preview = Pick<Schema, 'type'> & {
	properties?: Record<string, Preview>;
	items?: Preview;
};

/** A schema and those it is composed of, as one. */
function flat(schema: Schema): Schema {
	const parts = [...(schema.allOf ?? []).map(flat), schema];
	return {
		type: parts.find(({ type }) => type !== undefined)?.type,
		properties: Object.fromEntries(
			parts.flatMap(({ properties }) => Object.entries(properties ?? {})),
		),
		items: schema.items,
	};
}

function preview(schema: Schema): Preview {
	const { type, properties = {}, items } = flat(schema);
	if (type === 'array') return { type, ...(items && { items: preview(items) }) };
	if (type !== 'object') return { type };
	return {
		type,
		properties: Object.fromEntries(
			Object.entries(properties).map(([name, property]) => [name, preview(property)]),
		),
	};
}

/** One item of the node's output: a record, or the message where an answer has none. */
function item(answer: Schema): Schema {
	const { message = {}, data } = flat(answer).properties ?? {};
	if (data === undefined || data.maxItems === 0) {
		return { type: 'object', properties: { message } };
	}
	return data.items ?? data;
}

/** The fields of a record that an operation outputs. */
function output(record: Schema, operationId: string): Schema {
	const fields: Record<string, Schema> = { ...ADDED[operationId], ...flat(record).properties };
	const names = SIMPLIFIED[operationId] ?? Object.keys(fields);
	return {
		...flat(record),
		properties: Object.fromEntries(names.map((name) => [name, fields[name] ?? {}])),
	};
}

/** The body of an operation's success response. */
function success({ operationId, responses }: Operation): Schema {
	const response = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	if (response === undefined) throw new Error(`${operationId} has no success response`);
	return response.content['application/json'].schema;
}

/**
 * The output previews of the action node, which n8n's editor shows before a node has run.
 *
 * @param openapi path of the OpenAPI document
 * @returns the JSON text of each preview by `<resource>/<operation>.json`
 * @throws when an operation of the node has no answer in the document
 */
export async function previews(openapi: string): Promise<Map<string, string>> {
	const config = await createConfig({});
	const bundled = await bundle({ ref: openapi, config, dereference: true });
	const { paths } = bundled.bundle.parsed as Document;
	const operations = Object.values(paths).flatMap(({ get, post, put }) =>
		[get, post, put].filter((operation) => operation !== undefined),
	);
	const answers = Object.entries(ANSWERED_BY).map(([name, operationId]): [string, Preview] => {
		const operation = operations.find((candidate) => candidate.operationId === operationId);
		if (operation === undefined) throw new Error(`${openapi} has no ${operationId}`);
		return [name, preview(output(item(success(operation)), operationId))];
	});
	return new Map(
		[...answers, ...Object.entries(OWN_OUTPUT)].map(([name, shown]) => {
			const $comment = 'Generated from contract/openapi.yaml by `npm run generate`, do not edit.';
			return [`${name}.json`, `${JSON.stringify({ $comment, ...shown }, null, '\t')}\n`];
		}),
	);
}
