import type { FastifyInstance } from 'fastify';
import * as z from 'zod';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { id, pageSize, text } from '../base/queryFields.mts';
import { recordId } from '../domain/ownership.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import type { Condition, Row } from '../store/table.mts';
import { INVALID } from './controlRequest.mts';
import { inputs } from './inputs.mts';
import { assistants, campaigns, leads, tools, users } from './records/accounts.mts';
import { calls, deliveries, messages, toolRequests } from './records/calls.mts';
import type { RecordKind } from './records/recordKind.mts';

/** Serves the lists and whole records of all users, for the inspector; see sandbox/control.md. */
export function addRecordRoutes(app: FastifyInstance, engine: SandboxEngine): void {
	addKind(app, engine, 'calls', calls);
	addKind(app, engine, 'leads', leads);
	addKind(app, engine, 'campaigns', campaigns);
	addKind(app, engine, 'assistants', assistants);
	addKind(app, engine, 'tools', tools);
	addKind(app, engine, 'messages', messages);
	addKind(app, engine, 'deliveries', deliveries);
	addKind(app, engine, 'tool-requests', toolRequests);
	addKind(app, engine, 'users', users);
}

function addKind<Item extends Row>(
	app: FastifyInstance,
	engine: SandboxEngine,
	path: string,
	kind: RecordKind<Item>,
): void {
	const table = kind.table(engine.state);
	// Kinds without searched fields have no `search`.
	const search = kind.searched.length > 0 ? { search: text.optional() } : undefined;
	const wantedList = z
		.object({ limit: pageSize, before: id.optional(), ...search })
		.extend(z.object(kind.filters as z.ZodRawShape).partial().shape)
		.strict();

	app.get(`/records/${path}`, (request) => {
		// The fields keep their types beside filters whose types only the kind knows.
		const query = checkInput(wantedList, request.query, INVALID) as ListInput;
		const { limit, before, search: wanted, ...filters } = query;
		const { records, more, total } = table.list({
			// The names and values of the filters are those that the kind allows.
			conditions: Object.entries(filters).map(
				([field, value]) => [field, 'is', value] as Condition<Item>,
			),
			search: wanted === undefined ? undefined : { text: wanted, fields: kind.searched },
			before,
			limit,
		});
		return { data: records.map((item) => kind.brief(item, engine)), more, total };
	});

	app.get<{ Params: { id: string } }>(`/records/${path}/:id`, ({ params, query }) => {
		const { secrets } = checkInput(inputs.record, query, INVALID);
		const item = table.get(recordId(params.id));
		if (!item) throw new ApiError(404, `There is no ${kind.name} ${params.id}.`);
		return kind.whole(item, engine, secrets !== undefined);
	});
}

/** The query of a list: filters by the names of fields, and the rest by name. */
interface ListInput {
	limit: number;
	before?: number;
	search?: string;
	[filter: string]: unknown;
}
