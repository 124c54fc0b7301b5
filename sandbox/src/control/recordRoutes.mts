import type { FastifyInstance } from 'fastify';
import * as z from 'zod';

import { ApiError } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { recordId } from '../domain/ownership.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import type { Condition, Row } from '../store/table.mts';
import { INVALID } from './controlRequest.mts';
import { assistants } from './records/assistants.mts';
import { calls } from './records/calls.mts';
import { campaigns } from './records/campaigns.mts';
import { deliveries } from './records/deliveries.mts';
import { leads } from './records/leads.mts';
import { messages } from './records/messages.mts';
import { id, text, type RecordKind } from './records/recordKind.mts';
import { toolRequests } from './records/toolRequests.mts';
import { tools } from './records/tools.mts';
import { users } from './records/users.mts';

/** The longest page of a list. */
const MAX_LIMIT = 500;

/** The query of a whole record. With `secrets=1` it shows tokens. */
const wholeQuery = z.object({ secrets: z.literal('1').optional() }).strict();

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
	const readQuery = listInput(kind);

	app.get(`/records/${path}`, (request) => {
		const { limit, before, search, ...filters } = readQuery(request.query);
		const { records, more, total } = table.list({
			// The names and values of the filters are those that the kind allows.
			conditions: Object.entries(filters).map(
				([field, value]) => [field, 'is', value] as Condition<Item>,
			),
			search: search === undefined ? undefined : { text: search, fields: kind.searched },
			before,
			limit,
		});
		return { data: records.map((item) => kind.brief(item, engine)), more, total };
	});

	app.get<{ Params: { id: string } }>(`/records/${path}/:id`, ({ params, query }) => {
		const { secrets } = checkInput(wholeQuery, query, INVALID);
		const item = table.get(recordId(params.id));
		if (!item) throw new ApiError(404, `There is no ${kind.name} ${params.id}.`);
		return kind.whole(item, engine, secrets !== undefined);
	});
}

/** The query of a list: filters by the names of fields, and the rest by name. */
interface ListInput {
	limit: number;
	before?: number | undefined;
	search?: string | undefined;
	[filter: string]: unknown;
}

/** Reads the query that a list of this kind takes. Kinds without searched fields have no `search`. */
function listInput<Item extends Row>(kind: RecordKind<Item>): (query: unknown) => ListInput {
	const filters = z.object(kind.filters as z.ZodRawShape).partial();
	const schema = z
		.object({
			limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
			before: id.optional(),
			...(kind.searched.length > 0 && { search: text.optional() }),
		})
		.extend(filters.shape)
		.strict();
	// The fields above keep their types beside filters whose types only the kind knows.
	return (query) => checkInput(schema, query, INVALID) as ListInput;
}
