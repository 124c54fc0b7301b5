import type { FastifyInstance } from 'fastify';
import type * as z from 'zod';

import { ApiError, invalidFields, throwIfAny, type Response } from '../base/apiError.mts';
import { checkInput } from '../base/checkInput.mts';
import { logFailure } from '../base/dataFileError.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import { hideUserInfo } from '../base/secrets.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { Call, Delivery } from '../store/records.mts';
import type { Row, Table } from '../store/table.mts';
import { callRecord } from '../domain/call/operations.mts';
import { attachedTools } from '../domain/midCallTool/operations.mts';
import { recordId } from '../domain/ownership.mts';
import { toE164 } from '../domain/phone.mts';
import { smsRecord } from '../domain/sms/operations.mts';
import { providerNotification } from '../provider/call.mts';
import { choiceErrors, valueErrors } from '../simulation/callChoices.mts';
import { startCall, type NewCall } from '../domain/call/startCall.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import { INVALID, readBody, type ControlDependencies } from './controlRequest.mts';
import { addFaultRoutes } from './faultRoutes.mts';
import { admitOnlyLoopback, admitWithToken } from './guard.mts';
import { described, idOf } from './routeDescription.mts';
import { inputs } from './inputs.mts';
import { addInspectorRoutes } from './inspectorRoutes.mts';
import { addReference } from './reference.mts';
import { addRecordRoutes } from './recordRoutes.mts';
import { addClockEvent, addSandboxEvent } from './sandboxEvents.mts';
import { addSnapshotRoutes } from './snapshotRoutes.mts';
import { addTimelineRoutes } from './timelineRoutes.mts';

/** How far the clock goes to become idle: a year, and so many jobs. */
const MAX_IDLE_MS = 365 * 24 * 60 * 60 * 1000;
const MAX_IDLE_JOBS = 10_000;

export const CONTROL_PATH = '/__sandbox';

/** Serves the control API to whoever may use it; see {@link ControlDependencies}. */
export function addControlRoutes(server: FastifyInstance, parts: ControlDependencies): void {
	const { engine, controlToken } = parts;

	server.get('/', { exposeHeadRoute: false }, (_request, reply) =>
		reply.redirect(`${CONTROL_PATH}/`, 303),
	);
	void server.register(
		async (app) => {
			const isLocal = controlToken === undefined;
			const guard = isLocal ? admitOnlyLoopback : admitWithToken(controlToken, CONTROL_PATH);
			app.addHook('onRequest', guard);
			app.setErrorHandler((error, _request, reply) => {
				const { status, body } = controlError(error);
				return reply.code(status).send(body);
			});
			await addReference(app, CONTROL_PATH);
			addInspectorRoutes(app, CONTROL_PATH);
			addTimelineRoutes(app, parts);
			addRecordRoutes(app, engine);
			addListRoutes(app, engine);
			addCallRoutes(app, engine);
			addFaultRoutes(app, parts);
			addRuntimeRoutes(app, parts);
			addSnapshotRoutes(app, parts);
		},
		{ prefix: CONTROL_PATH },
	);
}

/** Adds the lists for tests, whose records are as the service shows them. */
function addListRoutes(app: FastifyInstance, engine: SandboxEngine): void {
	const { state, assumptions } = engine;
	/** The newest records in the order of their ids, and whether there are older ones. */
	function add<Item extends Row>(
		path: string,
		table: Table<Item>,
		show: (item: Item) => object,
		summary: string,
	) {
		app.get(path, described(summary, { query: inputs.list }), ({ query }) => {
			const { last, before } = checkInput(inputs.list, query, INVALID);
			const { records, more, total } = table.list({ conditions: [], before, limit: last });
			return { data: records.reverse().map(show), more, total };
		});
	}
	add(
		'/deliveries',
		state.deliveries,
		(delivery) => deliveryRecord(delivery, assumptions),
		'Lists the webhooks, with every attempt.',
	);
	add(
		'/tool-requests',
		state.toolRequests,
		// Headers can hold secrets.
		(request) => ({
			...request,
			url: hideUserInfo(request.url),
			headers: undefined,
			at: new Date(request.at).toISOString(),
		}),
		'Lists the requests to mid call tools.',
	);
	add(
		'/calls',
		state.calls,
		(call) => controlCallRecord(call, engine),
		'Lists the calls of all users.',
	);
	add(
		'/messages',
		state.messages,
		(message) => smsRecord(message, assumptions['time-zone']),
		'Lists the SMS of all users.',
	);
	app.get('/scenarios', described('Lists how calls can go.'), () => {
		const { scenarios } = engine;
		const describe = (name: string) => ({
			name,
			title: scenarios.title(name),
			description: scenarios.get(name)?.description,
			calls_tool: scenarios.callsTool(name),
		});
		return { data: scenarios.names.map(describe) };
	});
}

/** A call as the service shows it, with the ids of what it belongs to. */
const controlCallRecord = (call: Call, { assumptions, baseUrl }: SandboxEngine) => ({
	...callRecord(call, assumptions['time-zone'], baseUrl),
	assistant_id: call.assistant_id,
	campaign_id: call.campaign_id,
	lead_id: call.lead_id,
	scenario: call.scenario,
});

/** A delivery with the time and the cause of its next attempt, null when there will be none. */
function deliveryRecord(delivery: Delivery, assumptions: Assumptions) {
	const isPending = delivery.state === 'pending';
	return {
		...delivery,
		url: hideUserInfo(delivery.url),
		body: providerNotification(delivery.body, assumptions),
		next_attempt_at: isPending ? new Date(delivery.next_attempt_at).toISOString() : null,
		next_cause: isPending ? delivery.next_cause : null,
	};
}

function addCallRoutes(app: FastifyInstance, engine: SandboxEngine): void {
	const { inboundCall, outboundCall } = inputs;
	const inbound = described('Somebody calls an assistant.', {
		body: inboundCall,
		examples: [{ assistant_id: 2, from: '+14155550123' }],
	});
	app.post('/calls/inbound', inbound, (request) => {
		const input = checkInput(inboundCall, readBody(request), INVALID);
		return startControlCall(engine, 'inbound', 'from', input.from, input);
	});
	const outbound = described('An assistant calls somebody.', {
		body: outboundCall,
		examples: [{ assistant_id: 1, to: '+14155550123', scenario: 'busy' }],
	});
	app.post('/calls/outbound', outbound, (request) => {
		const input = checkInput(outboundCall, readBody(request), INVALID);
		return startControlCall(engine, 'outbound', 'to', input.to, input);
	});
}

type WantedCall = Omit<z.output<typeof inputs.outboundCall>, 'to'>;

/**
 * @param field of the input, which has the phone number
 * @param number undefined when it is suppressed
 */
function startControlCall(
	engine: SandboxEngine,
	type: NewCall['type'],
	field: string,
	number: string | undefined,
	{ assistant_id: assistantId, lead_id: leadId, scenario, tool, values }: WantedCall,
) {
	return engine.commit((context) => {
		const { state, assumptions } = context;
		const assistant = state.assistants.get(assistantId);
		if (!assistant) throw new ApiError(404, `There is no assistant ${assistantId}.`);
		const lead = state.leads.get(leadId);
		if (leadId !== undefined && lead?.user_id !== assistant.user_id) {
			throw new ApiError(404, `There is no lead ${leadId} of this assistant's user.`);
		}
		const country = assumptions['phone-number-formats'].default_country;
		const phoneNumber = number === undefined ? '' : toE164(number, country);
		if (phoneNumber === undefined) {
			throw invalidFields({ [field]: [`"${number}" is no phone number.`] });
		}
		throwIfAny({
			...choiceErrors(context.scenarios, { scenario, tool, values }),
			...valueErrors(assistant.settings, values),
		});
		const name = tool?.name;
		if (name !== undefined && !attachedTools(state, assistant).some((one) => one.name === name)) {
			throw invalidFields({ 'tool.name': [`The assistant has no tool "${name}".`] });
		}
		const call = { assistant, type, phoneNumber, lead, scenario, tool, values };
		return controlCallRecord(startCall(context, call), engine);
	});
}

/** Adds what concerns the sandbox as a whole: its clock, and what moves with it. */
function addRuntimeRoutes(
	app: FastifyInstance,
	{ engine, scheduler, faults, reset }: ControlDependencies,
): void {
	const { clock, state } = engine;
	const time = () => ({ now: new Date(clock.now()).toISOString(), mode: clock.mode });

	app.get('/health', described('Tells the time of the sandbox.'), () => ({
		status: 'ok',
		...time(),
		call_speed: engine.callSpeed,
		weather: engine.weather.name,
		faults: faults.count(engine.now()),
	}));
	const clockChange = described('Moves the clock, or changes how it goes.', {
		body: inputs.clock,
		examples: [{ advance: 'PT2M' }, { until_idle: true }, { mode: 'accelerated', speed: 60 }],
	});
	app.post('/clock', clockChange, async (request) => {
		const change = checkInput(inputs.clock, readBody(request), INVALID);
		const { mode, speed, advance } = change;
		// A request that is refused changes nothing.
		clock.later(advance ?? 0);
		if (mode !== undefined || speed !== undefined) clock.change(mode ?? clock.mode, speed);
		const result = change.until_idle
			? await scheduler.advanceUntilIdle(MAX_IDLE_MS, MAX_IDLE_JOBS)
			: { ran: advance === undefined ? 0 : await scheduler.advance(advance) };
		// Stores the clock, too.
		engine.commit((context) => addClockEvent(context, change, result.ran));
		return { ...time(), ...result };
	});
	const weatherChange = described('Changes the weather.', {
		body: inputs.weather,
		examples: [{ weather: 'ordinary' }, { weather: 'ordinary', scale: 0.1 }],
	});
	app.post('/weather', weatherChange, (request) => {
		const { weather, scale } = checkInput(inputs.weather, readBody(request), INVALID);
		engine.weather.change(weather, scale);
		addSandboxEvent(engine, `The weather is ${weather} now.`);
		return { weather, scale: engine.weather.scale };
	});
	const replay = described('Sends a webhook once more.', {
		body: inputs.nothing,
		params: idOf('delivery'),
	});
	app.post<{ Params: { id: string } }>('/deliveries/:id/replay', replay, async (request) => {
		checkInput(inputs.nothing, readBody(request), INVALID);
		const id = recordId(request.params.id);
		engine.commit(({ now }) => {
			const delivery = state.deliveries.get(id);
			if (!delivery) throw new ApiError(404, `There is no delivery ${request.params.id}.`);
			if (delivery.event === 'inboundQuestion') {
				throw new ApiError(422, `The delivery ${id} is a question before a call, asked once.`);
			}
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
		});
		await scheduler.advance(0);
		const sent = state.deliveries.get(id);
		return sent && deliveryRecord(sent, engine.assumptions);
	});
	const start = described('Starts everything again from the seed.', { body: inputs.nothing });
	app.post('/reset', start, async (request) => {
		checkInput(inputs.nothing, readBody(request), INVALID);
		await reset();
		return { status: 'ok', ...time() };
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
