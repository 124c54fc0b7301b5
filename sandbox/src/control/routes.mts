import type { FastifyInstance } from 'fastify';

import { ApiError, invalidFields, throwIfAny } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { logFailure } from '../base/dataFileError.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import type { Response } from '../base/response.mts';
import { hideUserInfo } from '../base/secrets.mts';
import type { Call, Delivery, ToolChoice, ToolRequest, Variables } from '../store/records.mts';
import type { Row, Table } from '../store/table.mts';
import { callRecord } from '../domain/call/operations.mts';
import { attachedTools } from '../domain/midCallTool/operations.mts';
import { recordId } from '../domain/ownership.mts';
import { toE164 } from '../domain/phone.mts';
import { smsRecord } from '../domain/sms/operations.mts';
import { choiceErrors, valueErrors } from '../simulation/callChoices.mts';
import { startCall, type NewCall } from '../simulation/startCall.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import type { Scheduler } from '../runtime/scheduler.mts';
import type { Faults } from '../faults/faults.mts';
import type { Journal } from '../http/journal.mts';
import { bodyOf, INVALID } from './controlRequest.mts';
import { addFaultRoutes } from './faultRoutes.mts';
import { admitOnlyLoopback, admitWithToken } from './guard.mts';
import { inputs } from './inputs.mts';
import { addInspectorRoutes } from './inspectorRoutes.mts';
import { addRecordRoutes } from './recordRoutes.mts';
import { addClockEvent } from './sandboxEvents.mts';
import { addTimelineRoutes } from './timelineRoutes.mts';

/** What the control API works with. */
interface ControlDependencies {
	engine: SandboxEngine;
	scheduler: Scheduler;
	faults: Faults;
	journal: Journal;
	reset: () => Promise<void>;
	/** Aborts when the sandbox closes. */
	closing: AbortSignal;
	/** Who has it may control the sandbox; undefined: whoever is on this machine. */
	controlToken: string | undefined;
}

/** How far the clock goes to become idle: a year, and so many jobs. */
const MAX_IDLE_MS = 365 * 24 * 60 * 60 * 1000;
const MAX_IDLE_JOBS = 10_000;

/** Where the control API is. */
export const CONTROL_PATH = '/__sandbox';

/** Serves the control API to whoever may use it; see {@link ControlDependencies}. */
export function addControlRoutes(server: FastifyInstance, parts: ControlDependencies): void {
	const { engine, scheduler, faults, controlToken } = parts;
	const { state } = engine;
	const timeZone = engine.assumptions['time-zone'];
	const recordOf = (call: Call) => controlCallRecord(call, engine);
	const time = () => ({
		now: new Date(engine.clock.now()).toISOString(),
		mode: engine.clock.mode,
	});

	server.get('/', { exposeHeadRoute: false }, (_request, reply) =>
		reply.redirect(`${CONTROL_PATH}/`, 303),
	);
	void server.register(
		(app, _options, done) => {
			app.addHook(
				'onRequest',
				controlToken === undefined ? admitOnlyLoopback : admitWithToken(controlToken, CONTROL_PATH),
			);
			app.setErrorHandler((error, _request, reply) => {
				const { status, body } = controlError(error);
				return reply.code(status).send(body);
			});

			addInspectorRoutes(app, CONTROL_PATH);
			app.get('/health', () => ({
				status: 'ok',
				...time(),
				call_speed: engine.callSpeed,
				faults: faults.list(engine.now()).length,
			}));
			addTimelineRoutes(app, parts);
			app.get('/deliveries', ({ query }) => listRecords(state.deliveries, deliveryRecord, query));
			app.get('/tool-requests', ({ query }) =>
				listRecords(state.toolRequests, toolRequestRecord, query),
			);
			app.get('/calls', ({ query }) => listRecords(state.calls, recordOf, query));
			app.get('/messages', ({ query }) =>
				listRecords(state.messages, (message) => smsRecord(message, timeZone), query),
			);
			addRecordRoutes(app, engine);

			app.get('/scenarios', () => ({ data: scenarioRecords(engine) }));

			app.post('/calls/inbound', (request) => {
				const input = checkInput(inputs.inboundCall, bodyOf(request), INVALID);
				return startControlCall(engine, {
					...input,
					phoneNumber: input.from,
					field: 'from',
					type: 'inbound',
				});
			});
			app.post('/calls/outbound', (request) => {
				const input = checkInput(inputs.outboundCall, bodyOf(request), INVALID);
				return startControlCall(engine, {
					...input,
					phoneNumber: input.to,
					field: 'to',
					type: 'outbound',
				});
			});
			app.post('/clock', async (request) => {
				const {
					mode,
					speed,
					advance,
					until_idle: untilIdle,
				} = checkInput(inputs.clock, bodyOf(request), INVALID);
				// A request that is refused changes nothing.
				engine.clock.later(advance ?? 0);
				if (mode !== undefined || speed !== undefined) {
					engine.clock.change(mode ?? engine.clock.mode, speed);
				}
				const result = untilIdle
					? await scheduler.advanceUntilIdle(MAX_IDLE_MS, MAX_IDLE_JOBS)
					: { ran: advance === undefined ? 0 : await scheduler.advance(advance) };
				// Stores the clock, too.
				engine.commit((context) =>
					addClockEvent(context, { mode, speed, advance, untilIdle }, result.ran),
				);
				return { ...time(), ...result };
			});
			app.post<{ Params: { id: string } }>('/deliveries/:id/replay', async (request) => {
				checkInput(inputs.nothing, bodyOf(request), INVALID);
				const id = replay(engine, request.params.id);
				await scheduler.advance(0);
				const sent = state.deliveries.get(id);
				return sent && deliveryRecord(sent);
			});
			addFaultRoutes(app, { engine, faults });
			app.post('/reset', async (request) => {
				checkInput(inputs.nothing, bodyOf(request), INVALID);
				await parts.reset();
				return { status: 'ok', ...time() };
			});
			done();
		},
		{ prefix: CONTROL_PATH },
	);
}

/** A call as the service shows it, with the ids of what it belongs to. */
const controlCallRecord = (call: Call, { assumptions, baseUrl }: SandboxEngine) => ({
	...callRecord(call, assumptions['time-zone'], baseUrl),
	assistant_id: call.assistant_id,
	campaign_id: call.campaign_id,
	lead_id: call.lead_id,
	scenario: call.scenario,
});

/** What a call can go like. */
const scenarioRecords = ({ scenarios }: SandboxEngine) =>
	scenarios.names.map((name) => ({ name, description: scenarios.get(name)?.description }));

/** A delivery with the time and the cause of its next attempt, null when there will be none. */
function deliveryRecord(delivery: Delivery) {
	const isPending = delivery.state === 'pending';
	return {
		...delivery,
		url: hideUserInfo(delivery.url),
		next_attempt_at: isPending ? new Date(delivery.next_attempt_at).toISOString() : null,
		next_cause: isPending ? delivery.next_cause : null,
	};
}

/** A request to a tool, without the headers, which can hold secrets. */
const toolRequestRecord = (request: ToolRequest) => ({
	...request,
	url: hideUserInfo(request.url),
	headers: undefined,
	at: new Date(request.at).toISOString(),
});

/** Makes a delivery due once more. Returns its id. */
function replay(engine: SandboxEngine, idText: string): number {
	const id = recordId(idText);
	return engine.commit(({ state, now }) => {
		const delivery = state.deliveries.get(id);
		if (!delivery) throw new ApiError(404, `There is no delivery ${idText}.`);
		if (delivery.state === 'pending') {
			throw new ApiError(422, `The delivery ${id} has not been made yet.`);
		}
		state.deliveries.update({
			...delivery,
			url: hideUserInfo(delivery.url),
			state: 'pending',
			next_attempt_at: now,
			next_cause: 'replay',
		});
		return id;
	});
}

/** The newest records in the order of their ids, and whether there are older ones. */
function listRecords<Item extends Row>(
	table: Table<Item>,
	show: (item: Item) => object,
	query: unknown,
): { data: object[]; more: boolean; total: number } {
	const { last, before } = checkInput(inputs.list, query, INVALID);
	const { records, more, total } = table.list({ conditions: [], before, limit: last });
	return { data: records.reverse().map(show), more, total };
}

interface WantedCall {
	assistant_id: number;
	lead_id?: number;
	scenario?: string | undefined;
	tool?: ToolChoice | undefined;
	values?: Variables | undefined;
	phoneNumber: string;
	/** The field that holds the phone number. */
	field: string;
	type: NewCall['type'];
}

function startControlCall(engine: SandboxEngine, wanted: WantedCall) {
	return engine.commit((context) => {
		const { state, assumptions } = context;
		const assistant = state.assistants.get(wanted.assistant_id);
		if (!assistant) throw new ApiError(404, `There is no assistant ${wanted.assistant_id}.`);
		const lead = wanted.lead_id === undefined ? undefined : state.leads.get(wanted.lead_id);
		if (wanted.lead_id !== undefined && lead?.user_id !== assistant.user_id) {
			throw new ApiError(404, `There is no lead ${wanted.lead_id} of this assistant's user.`);
		}
		const phoneNumber = toE164(
			wanted.phoneNumber,
			assumptions['phone-number-formats'].default_country,
		);
		if (phoneNumber === undefined) {
			throw invalidFields({ [wanted.field]: [`"${wanted.phoneNumber}" is no phone number.`] });
		}
		const { type, scenario, tool, values } = wanted;
		throwIfAny({
			...choiceErrors(context.scenarios, wanted),
			...valueErrors(assistant.settings, values),
		});
		const name = tool?.name;
		if (name !== undefined && !attachedTools(state, assistant).some((one) => one.name === name)) {
			throw invalidFields({ 'tool.name': [`The assistant has no tool "${name}".`] });
		}
		const call = { assistant, type, phoneNumber, lead, scenario, tool, values };
		const started = startCall(context, call);
		return controlCallRecord(started, engine);
	});
}

function controlError(error: unknown): Response {
	if (error instanceof ApiError) return error.response;
	if (error instanceof InvalidInput) {
		const { message, errors } = error;
		return { status: 422, body: { message, ...(errors && { errors }) } };
	}
	const { statusCode = 500, message } = error as { statusCode?: number; message?: string };
	if (statusCode < 500) return { status: statusCode, body: { message } };
	logFailure('The control API failed', error);
	return { status: 500, body: { message: 'The sandbox failed. Its log says why.' } };
}
