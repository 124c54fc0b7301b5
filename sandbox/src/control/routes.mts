import { readFile } from 'node:fs/promises';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { invalid, Refusal, type Answer } from '../base/response.mts';
import { BadInput } from '../base/invalidInput.mts';
import { callRecord } from '../domain/call/operations.mts';
import { startCall, type NewCall } from '../simulation/startCall.mts';
import { toE164 } from '../domain/phone.mts';
import { operations } from '../domain/operations.mts';
import { smsRecord } from '../domain/sms/operations.mts';
import { doesSomething, type Faults } from '../http/faults.mts';
import { readBody } from '../http/body.mts';
import type { Journal } from '../http/journal.mts';
import { milliseconds } from '../base/duration.mts';
import type { Engine } from '../runtime/engine.mts';
import type { Scheduler } from '../runtime/scheduler.mts';
import type { Call, Delivery } from '../store/records.mts';
import type { Row, Table } from '../store/table.mts';
import { admitOnlyLoopback } from './guard.mts';
import { accept, inputs } from './inputs.mts';

/** What the control API works with. */
export interface ControlParts {
	engine: Engine;
	scheduler: Scheduler;
	faults: Faults;
	journal: Journal;
	reset: () => Promise<void>;
}

/** The inspector talks to this sandbox and loads nothing from anywhere. */
const PAGE_HEADERS = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy':
		"default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
};

/** Where the control API is. */
export const CONTROL_PATH = '/__sandbox';

/** Puts the control API on the server: for programs of this machine only, without a token. */
export function addControlRoutes(server: FastifyInstance, parts: ControlParts): void {
	const { engine, scheduler, faults, journal } = parts;
	const { state } = engine.store;
	const { timeZone } = engine.assumptions;
	const recordOf = (call: Call) => controlCallRecord(call, timeZone);
	const time = () => ({
		now: new Date(engine.clock.now()).toISOString(),
		mode: engine.clock.mode,
	});

	void server.register(
		(app, _options, done) => {
			app.addHook('onRequest', admitOnlyLoopback);
			app.setErrorHandler((error, _request, reply) => {
				const { status, body } = controlError(error);
				return reply.code(status).send(body);
			});

			app.get('/', async (_request, reply) => {
				const page = await readFile(new URL('inspector.html', import.meta.url));
				return reply.headers(PAGE_HEADERS).send(page);
			});
			app.get('/health', () => ({ status: 'ok', ...time() }));
			app.get('/requests', ({ query }) => {
				const { last } = accept(inputs.list, query);
				const { entries } = journal;
				return { data: entries.slice(-(last ?? entries.length)), total: entries.length };
			});
			app.get('/deliveries', ({ query }) => stored(state.deliveries, deliveryRecord, query));
			app.get('/calls', ({ query }) => stored(state.calls, recordOf, query));
			app.get('/messages', ({ query }) =>
				stored(state.messages, (message) => smsRecord(message, timeZone), query),
			);
			app.get('/faults', () => ({ data: faults.rules }));

			app.post('/calls/inbound', (request) => {
				const input = accept(inputs.inboundCall, bodyOf(request));
				return call(engine, { ...input, phoneNumber: input.from, field: 'from', type: 'inbound' });
			});
			app.post('/calls/outbound', (request) => {
				const input = accept(inputs.outboundCall, bodyOf(request));
				return call(engine, { ...input, phoneNumber: input.to, field: 'to', type: 'outbound' });
			});
			app.post('/clock', async (request) => {
				const { mode, speed, advance } = accept(inputs.clock, bodyOf(request));
				const span = advance === undefined ? 0 : milliseconds(advance);
				if (mode !== undefined || speed !== undefined) {
					engine.clock.change(mode ?? engine.clock.mode, speed);
				}
				const ran = advance === undefined ? 0 : await scheduler.advance(span);
				// Keeps the new time in the store and has the scheduler wait by it.
				engine.commit(() => undefined);
				return { ...time(), ran };
			});
			app.post<{ Params: { id: string } }>('/deliveries/:id/replay', async (request) => {
				accept(inputs.nothing, bodyOf(request));
				const id = replay(engine, request.params.id);
				await scheduler.advance(0);
				const sent = state.deliveries.get(id);
				return sent && deliveryRecord(sent);
			});
			app.post('/faults', (request) => {
				const rule = accept(inputs.fault, bodyOf(request));
				if (rule.operation !== undefined && !Object.hasOwn(operations, rule.operation)) {
					const known = Object.keys(operations).join(', ');
					throw invalid({
						operation: [`There is no operation ${rule.operation}. There are: ${known}.`],
					});
				}
				if (!doesSomething(rule)) {
					throw new Refusal(
						422,
						'A fault needs status, body, delay_ms or drop: what shall go wrong?',
					);
				}
				return faults.add(rule);
			});
			app.delete('/faults', () => {
				faults.clear();
				return { data: faults.rules };
			});
			app.post('/reset', async () => {
				await parts.reset();
				return { status: 'ok', ...time() };
			});
			done();
		},
		{ prefix: CONTROL_PATH },
	);
}

/** A call as the service shows it, and what belongs to it. */
const controlCallRecord = (call: Call, timeZone: string) => ({
	...callRecord(call, timeZone),
	assistant_id: call.assistant_id,
	campaign_id: call.campaign_id,
	lead_id: call.lead_id,
	scenario: call.scenario,
});

/** A delivery with its time in the same form as those of its attempts; null when none will follow. */
function deliveryRecord(delivery: Delivery) {
	const next = delivery.state === 'pending' ? new Date(delivery.next_attempt_at) : null;
	return { ...delivery, next_attempt_at: next?.toISOString() ?? null };
}

/** Makes a delivery due once more, whatever came of it before. Gives its id. */
function replay(engine: Engine, idText: string): number {
	const id = /^[1-9]\d*$/.test(idText) ? Number(idText) : 0;
	return engine.commit(({ state, now }) => {
		const delivery = state.deliveries.get(id);
		if (!delivery) throw new Refusal(404, `There is no delivery ${idText}.`);
		if (delivery.state === 'pending') {
			throw new Refusal(422, `The delivery ${id} has not been made yet.`);
		}
		state.deliveries.update({ ...delivery, state: 'pending', next_attempt_at: now });
		return id;
	});
}

/** Records in the order they were made: all, or as many of the last as the query asks for. */
function stored<Item extends Row>(
	table: Table<Item>,
	show: (item: Item) => object,
	query: unknown,
): { data: object[]; total: number } {
	const { last } = accept(inputs.list, query);
	const newest = table.select([], { newestFirst: true, limit: last });
	return { data: newest.reverse().map(show), total: table.count() };
}

/** Control requests may come without body, and are as well checked as those of the service. */
function bodyOf({ body, headers }: FastifyRequest): unknown {
	const hasBody = Buffer.isBuffer(body) && body.length > 0;
	return hasBody ? readBody(body, headers['content-type'], body.length) : {};
}

interface WantedCall {
	assistant_id: number;
	lead_id?: number;
	scenario?: string;
	phoneNumber: string;
	/** Where the phone number stood. */
	field: string;
	type: NewCall['type'];
}

function call(engine: Engine, wanted: WantedCall) {
	return engine.commit((context) => {
		const { state, assumptions } = context;
		const assistant = state.assistants.get(wanted.assistant_id);
		if (!assistant) throw new Refusal(404, `There is no assistant ${wanted.assistant_id}.`);
		const lead = wanted.lead_id === undefined ? undefined : state.leads.get(wanted.lead_id);
		if (wanted.lead_id !== undefined && lead?.user_id !== assistant.user_id) {
			throw new Refusal(404, `There is no lead ${wanted.lead_id} of this assistant's user.`);
		}
		const phoneNumber = toE164(wanted.phoneNumber, assumptions.defaultCountry);
		if (phoneNumber === undefined) {
			throw invalid({ [wanted.field]: [`"${wanted.phoneNumber}" is no phone number.`] });
		}
		const { type, scenario } = wanted;
		const started = startCall(context, { assistant, type, phoneNumber, lead, scenario });
		return controlCallRecord(started, assumptions.timeZone);
	});
}

function controlError(error: unknown): Answer {
	if (error instanceof Refusal) return error.answer;
	if (error instanceof BadInput) return { status: 422, body: { message: error.message } };
	console.error('The control API failed:', error);
	return { status: 500, body: { message: 'The sandbox failed; its log says why.' } };
}
