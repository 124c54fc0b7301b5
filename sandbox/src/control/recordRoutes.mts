import type { FastifyInstance } from 'fastify';
import * as z from 'zod';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { id, pageSize, text } from '../base/queryFields.mts';
import { recordId } from '../domain/ownership.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import type { Condition, Row, Table } from '../store/table.mts';
import { INVALID } from './controlRequest.mts';
import { inputs } from './inputs.mts';
import { described, idOf } from './routeDescription.mts';
import { assistants, campaigns, leads, tools, users } from './records/accounts.mts';
import { calls, deliveries, messages, toolRequests } from './records/calls.mts';
import type { RecordKind } from './records/recordKind.mts';

/** Serves the lists and whole records of all users, for the inspector; see sandbox/control.md. */
export function addRecordRoutes(app: FastifyInstance, engine: SandboxEngine): void {
	const { state } = engine;
	addKind(app, engine, 'calls', state.calls, calls);
	addKind(app, engine, 'leads', state.leads, leads);
	addKind(app, engine, 'campaigns', state.campaigns, campaigns);
	addKind(app, engine, 'assistants', state.assistants, assistants);
	addKind(app, engine, 'tools', state.tools, tools);
	addKind(app, engine, 'messages', state.messages, messages);
	addKind(app, engine, 'deliveries', state.deliveries, deliveries);
	addKind(app, engine, 'tool-requests', state.toolRequests, toolRequests);
	addKind(app, engine, 'users', state.users, users);
}

function addKind<Item extends Row>(
	app: FastifyInstance,
	engine: SandboxEngine,
	path: string,
	table: Table<Item>,
	{ name, filters = {}, searched, brief, whole }: RecordKind<Item>,
): void {
	// Kinds without searched fields have no `search`.
	const search = searched && {
		search: text.optional().describe(`A part of ${searched.join(' or ')}.`),
	};
	const wantedFilters = Object.entries(filters as z.ZodRawShape).map(
		([field, values]) =>
			[field, values.optional().describe(`Only those where ${field} is this.`)] as const,
	);
	const wantedList = z
		.object({ limit: pageSize, before: id.optional().describe('Only those with smaller IDs.') })
		.extend({ ...search, ...Object.fromEntries(wantedFilters) })
		.strict();

	const listed = described(`Lists the ${path}, the newest first.`, {
		query: wantedList,
	});
	app.get(`/records/${path}`, listed, (request) => {
		// The fields keep their types beside filters whose types only the kind knows.
		const query = checkInput(wantedList, request.query, INVALID) as ListInput;
		const { limit, before, search: wanted, ...wantedFields } = query;
		const { records, more, total } = table.list({
			// The names and values of the filters are those that the kind allows.
			conditions: Object.entries(wantedFields).map(
				([field, value]) => [field, 'is', value] as Condition<Item>,
			),
			search: wanted === undefined ? undefined : { text: wanted, fields: searched ?? [] },
			before,
			limit,
		});
		return { data: records.map((item) => brief(item, engine)), more, total };
	});

	const one = described(`Gives a whole ${name}.`, { query: inputs.record, params: idOf(name) });
	app.get<{ Params: { id: string } }>(`/records/${path}/:id`, one, ({ params, query }) => {
		const { secrets } = checkInput(inputs.record, query, INVALID);
		const item = table.get(recordId(params.id));
		if (!item) throw new ApiError(404, `There is no ${name} ${params.id}.`);
		return whole(item, engine, secrets !== undefined);
	});
}

/** The query of a list: filters by the names of fields, and the rest by name. */
interface ListInput {
	limit: number;
	before?: number;
	search?: string;
	[filter: string]: unknown;
}
