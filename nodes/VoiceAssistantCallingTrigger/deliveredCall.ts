import type { IDataObject } from 'n8n-workflow';

import { callShape } from '../shared/calls/callShape';
import { asList, fromJsonText, isRecord } from '../shared/values/json';

/** The fields in which some services send the call or several calls, also as JSON text (assumed: webhook-payload). */
const WRAPPERS = ['data', 'call', 'payload', 'json'];

/** A call can have such fields of its own, so they are looked into only where nothing else may be a call. */
const OTHER_WRAPPERS = [
	...['calls', 'events', 'record', 'result', 'response', 'body', 'object', 'message'],
	...['conversation', 'attributes'],
];

/** How deep a call can be in such fields and in lists. */
const MAX_DEPTH = 5;

/** Fields by which a call is known, the surest first. */
const CALL_FIELDS = ['status', 'finished_at', 'duration', 'transcript'];

/** What a delivery has about one call. */
export interface DeliveredCall {
	/** An object, unless nothing can be read. */
	call: unknown;
	/** The service's own name of the event; undefined when it has none. */
	serviceEvent?: string;
}

/** Parses the JSON texts in which a call can be. */
function parseTexts(body: unknown, wrappers: string[], depth = MAX_DEPTH): unknown {
	const content = fromJsonText(body);
	if (depth === 0) return content;
	const parse = (value: unknown) => parseTexts(value, wrappers, depth - 1);
	if (Array.isArray(content)) return content.map(parse);
	if (!isRecord(content)) return content;
	const parsed = { ...content };
	for (const name of asList(content) ? Object.keys(content) : wrappers) {
		if (!Object.hasOwn(content, name)) continue;
		parsed[name] = parse(content[name]) as IDataObject[string];
	}
	return parsed;
}

const EVENT_NAMES = ['event', 'event_type', 'eventType', 'event_name'];

/** `type` can be the name of an event, such as `lead.updated`, or the direction of a call. */
const nameOfEvent = (body: IDataObject): string | undefined =>
	EVENT_NAMES.map((name) => body[name]).find((name) => typeof name === 'string') ??
	(typeof body.type === 'string' && body.type.includes('.') ? body.type : undefined);

const isContainer = (value: unknown): boolean => isRecord(value) || Array.isArray(value);

/** Whether a value has a field, in itself or in what may have a call. */
function reaches(value: unknown, field: string, wrappers: string[], depth = MAX_DEPTH): boolean {
	if (depth === 0) return false;
	const isIn = (each: unknown) => reaches(each, field, wrappers, depth - 1);
	const list = asList(value);
	if (list) return list.some(isIn);
	if (!isRecord(value)) return false;
	return Object.hasOwn(value, field) || wrappers.some((name) => isIn(value[name]));
}

/** The field of a delivery that has the call; undefined when the delivery is the call itself. */
function wrapperIn(body: IDataObject, wrappers: string[]): string | undefined {
	for (const field of CALL_FIELDS) {
		if (Object.hasOwn(body, field)) return undefined;
		const wrapper = wrappers.find((name) => reaches(body[name], field, wrappers));
		if (wrapper !== undefined) return wrapper;
	}
	// The `id` of an event is that of the delivery.
	if (Object.hasOwn(body, 'id') && nameOfEvent(body) === undefined) return undefined;
	return wrappers.find((name) => isContainer(body[name]));
}

/** Fields that no other record of the service has (contract: Resources and their fields). */
const OWN_FIELDS = [
	...['finished_at', 'duration', 'transcript', 'recording_url', 'answered_by', 'evaluation'],
	...['client_phone_number', 'customer_phone', 'assistant_phone_number', 'assistant_phone'],
	...['input_variables', 'extracted_variables'],
];

/** What an object that has a call has of it beside. */
const besideCall = (body: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(body).filter(([name]) => OWN_FIELDS.includes(name)));

/** A call with what stands beside it, where it has nothing of its own. */
function withBeside(call: IDataObject, beside: IDataObject): IDataObject {
	const added = Object.entries(beside).filter(([name]) => (call[name] ?? '') === '');
	return added.length > 0 ? { ...call, ...Object.fromEntries(added) } : call;
}

function callsIn(
	body: unknown,
	wrappers: string[],
	depth = MAX_DEPTH,
	serviceEvent?: string,
	beside: IDataObject = {},
): DeliveredCall[] {
	const list = asList(body);
	if (list && depth > 0) {
		const shared = list.length === 1 ? beside : {};
		return list.flatMap((each) => callsIn(each, wrappers, depth - 1, serviceEvent, shared));
	}
	if (!isRecord(body)) return [{ call: body, serviceEvent }];
	const name = nameOfEvent(body) ?? serviceEvent;
	const wrapper = depth > 0 ? wrapperIn(body, wrappers) : undefined;
	if (wrapper === undefined) return [{ call: withBeside(body, beside), serviceEvent: name }];
	// `type` of the call itself is its direction.
	const type = typeof body.type === 'string' ? body.type : undefined;
	// The ID of a record is beside its attributes (JSON:API).
	const id = wrapper === 'attributes' && Object.hasOwn(body, 'id') ? { id: body.id } : {};
	const outside = { ...beside, ...besideCall(body), ...id };
	return callsIn(body[wrapper], wrappers, depth - 1, name ?? type, outside);
}

/** Other records have these too. */
const COMMON_FIELDS = Object.keys(callShape).filter(
	(name) => !['type', 'created_at', 'updated_at'].includes(name),
);

/** What else an event can be about. */
const OTHER_SUBJECTS = new Set([
	...['lead', 'campaign', 'sms', 'message', 'assistant', 'tool', 'contact', 'number'],
	...['account', 'balance', 'credit', 'payment', 'invoice', 'user', 'webhook', 'ping', 'test'],
]);

const BEGINNINGS = new Set([
	...['start', 'started', 'initiated', 'scheduled', 'queued', 'ringing', 'progress'],
	...['dialing', 'dialling', 'dialed', 'dialled', 'connected', 'picked'],
]);

/** The words of `call.completed`, `call_ended` and `callStarted`. */
const wordsOf = (event: string): string[] =>
	event
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z]+/)
		.map((word) => (word === 'calls' ? 'call' : word));

const hasOneOf = (call: unknown, names: string[]): boolean =>
	isRecord(call) && names.some((name) => Object.hasOwn(call, name));

const namesCall = (name: string): boolean => wordsOf(name).includes('call');

/**
 * Whether a delivery may be about a call. No call must be lost, so only what neither has a field of a call nor
 * names one, or is an event about something else and has no field that only a call has, is none.
 */
export function mayBeCall({ call, serviceEvent = '' }: DeliveredCall): boolean {
	if (!isRecord(call)) return typeof call === 'string' && call.trim() !== '';
	if (hasOneOf(call, OWN_FIELDS) || namesCall(serviceEvent)) return true;
	if (wordsOf(serviceEvent).some((word) => OTHER_SUBJECTS.has(word))) return false;
	return hasOneOf(call, COMMON_FIELDS) || Object.keys(call).some(namesCall);
}

/** Whether the name of an event says that a call begins. The record of a call can be created at its end. */
export function isBeginning({ serviceEvent = '' }: DeliveredCall): boolean {
	const words = wordsOf(serviceEvent);
	return words.some((word) => BEGINNINGS.has(word)) || words.join(' ').endsWith('call created');
}

/** The only field of a body that has an object or a list. */
function onlyContainerIn(body: unknown): string[] {
	const content = fromJsonText(body);
	const fields = isRecord(content) ? Object.entries(content) : [];
	const containers = fields.filter(([, value]) => isContainer(fromJsonText(value)));
	return containers.length === 1 ? containers.map(([name]) => name) : [];
}

/** Everything has an ID, so that alone does not say where the call is. */
const KNOWN_FIELDS = [...OWN_FIELDS, ...COMMON_FIELDS].filter((name) => name !== 'id');

/**
 * The calls in the body of a delivery: in the body itself or in a field, in a list, as JSON or as a text with
 * JSON.
 */
export function deliveredCalls(body: unknown): DeliveredCall[] {
	const read = (wrappers: string[]) => callsIn(parseTexts(body, wrappers), wrappers);
	const all = [...WRAPPERS, ...OTHER_WRAPPERS];
	const usual = [read(WRAPPERS), read(all)];
	const readings = [...usual, read([...all, ...onlyContainerIn(body)])];
	const withField = (names: string[]) =>
		readings.find((calls) => calls.some(({ call }) => hasOneOf(call, names)));
	const mayBeCalls = () => usual.find((calls) => calls.some(mayBeCall));
	return withField(KNOWN_FIELDS) ?? withField(['id']) ?? mayBeCalls() ?? read(WRAPPERS);
}
