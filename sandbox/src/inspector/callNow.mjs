import { ask, change } from './api.mjs';
import { Dialog, openDialog } from './dialog.mjs';
import { attempt } from './messages.mjs';
import { toHref } from './route.mjs';
import { h, useRef, useState } from './vendor/preact.js';

/**
 * With what the form is filled in; without an assistant it is the one that was used last.
 * @typedef {{
 *   assistantId?: number, leadId?: number, phoneNumber?: string, direction?: string, scenario?: string, values?: Row
 * }} Chosen
 */

/** So many assistants can be chosen from a list. */
const LISTED = 200;

/** Begins the names of the fields for what an assistant finds out. */
const PREFIX = 'value ';

/** @type {number | undefined} */
let lastAssistant;

/** Asks whom to call, and starts the call. @param {Chosen} [chosen] */
export const openCallNow = (chosen = {}) =>
	attempt(async () => {
		const [{ data: assistants }, { data: scenarios }] = await Promise.all([
			ask('records/assistants', { limit: LISTED }),
			ask('scenarios'),
		]);
		assistants.sort((/** @type {Row} */ one, /** @type {Row} */ other) => one.id - other.id);
		const wanted = chosen.assistantId ?? lastAssistant;
		const { id } =
			assistants.find((/** @type {Row} */ one) => one.id === wanted) ?? assistants[0] ?? {};
		if (id === undefined) return;
		openDialog(h(CallNow, { assistants, scenarios, first: await loadAssistant(id), chosen }));
	});

/** @param {number} id */
async function loadAssistant(id) {
	const { settings, tools } = await ask(`records/assistants/${id}`);
	return { id, schema: settings.post_call_schema, hasTool: tools.length > 0 };
}

/** @param {{ assistants: Row[], scenarios: Row[], first: Row, chosen: Chosen }} parts `first`: at first */
function CallNow({ assistants, scenarios, first, chosen }) {
	const latest = useRef(first.id);
	const [{ id, schema, hasTool }, setAssistant] = useState(first);
	const [scenario, setScenario] = useState(chosen.scenario ?? '');
	const { direction = 'outbound', phoneNumber = '+14155550123', leadId } = chosen;
	const values = schema === first.schema ? chosen.values : {};

	const changeAssistant = (/** @type {number} */ next) =>
		attempt(async () => {
			latest.current = next;
			const loaded = await loadAssistant(next);
			// Another one may have been chosen meanwhile.
			if (latest.current === next) setAssistant(loaded);
		});

	const titles = Object.fromEntries(scenarios.map(({ name, title }) => [name, title]));
	/** @type {Field[]} */
	const fields = [
		{
			label: 'Assistant',
			name: 'assistant_id',
			required: true,
			options: assistants.map((one) => [one.id, `${one.id} · ${one.name}`]),
			value: first.id,
			onchange: ({ currentTarget: { value } }) => changeAssistant(Number(value)),
		},
		{
			label: 'Direction',
			name: 'direction',
			type: 'radio',
			options: [
				['outbound', 'The assistant calls the person (outbound)'],
				['inbound', 'The person calls the assistant (inbound)'],
			],
			value: direction,
		},
		{
			label: 'Phone number of the person',
			name: 'number',
			type: 'tel',
			value: phoneNumber,
			hint: 'Empty: the person suppresses it (inbound).',
		},
		{
			label: 'How the call goes',
			name: 'scenario',
			options: { '': 'By the phone number or the lead', ...titles },
			value: scenario,
			hint: scenarioHint(
				scenarios.find(({ name }) => name === scenario),
				hasTool,
			),
			onchange: ({ currentTarget: { value } }) => setScenario(value),
		},
		...valueFields(id, schema, values),
		{
			label: 'ID of the lead (optional, only when the assistant calls)',
			name: 'lead_id',
			type: 'number',
			min: 1,
			inputmode: 'numeric',
			value: leadId,
			onchange: ({ currentTarget: { value, form } }) => attempt(() => fillInNumber(value, form)),
		},
	];

	/** @param {{ [name: string]: string }} form */
	async function submit(form) {
		lastAssistant = Number(form.assistant_id);
		const isInbound = form.direction === 'inbound';
		const call = await change('POST', `calls/${form.direction}`, {
			assistant_id: lastAssistant,
			...(isInbound ? form.number && { from: form.number } : { to: form.number }),
			...(form.scenario && { scenario: form.scenario }),
			...chosenValues(schema, form),
			...(form.lead_id && !isInbound && { lead_id: Number(form.lead_id) }),
		});
		location.hash = toHref(`calls/${call.id}`);
	}

	return h(Dialog, { title: 'Call now', fields, action: 'Call now', submit });
}

/** @type {(scenario: Row | undefined, hasTool: boolean) => string} */
function scenarioHint(scenario, hasTool) {
	if (!scenario) return 'The last digits of the number choose how the call goes.';
	return scenario.calls_tool && !hasTool
		? 'This assistant has no tool, so it calls none. Publish a workflow with a Mid Call Tool Trigger for it.'
		: scenario.description;
}

/**
 * With these one chooses what an assistant finds out. An empty field leaves that to the sandbox.
 * @type {(assistantId: number, schema: Row[], values?: Row) => Field[]}
 */
function valueFields(assistantId, schema, values = {}) {
	if (schema.length === 0) return [];
	const label = 'What the assistant finds out (empty: the sandbox makes it up)';
	const fields = schema.map(({ name, type, description }) => ({
		label: name,
		name: PREFIX + name,
		title: description,
		value: String(values[name] ?? ''),
		...(type === 'bool' && { options: ['', 'true', 'false'] }),
		...(type === 'number' && { type: 'number', step: 'any' }),
	}));
	return [{ label, fields, key: assistantId }];
}

/** @param {Row[]} schema @param {{ [name: string]: string }} form */
function chosenValues(schema, form) {
	const values = schema.flatMap(({ name, type }) => {
		const text = form[PREFIX + name] ?? '';
		if (text === '') return [];
		return [[name, type === 'number' ? Number(text) : type === 'bool' ? text === 'true' : text]];
	});
	return values.length > 0 && { values: Object.fromEntries(values) };
}

/** @param {string} leadId @param {HTMLFormElement | null} form */
async function fillInNumber(leadId, form) {
	const number = form?.elements.namedItem('number');
	if (leadId === '' || !(number instanceof HTMLInputElement)) return '';
	const lead = await ask(`records/leads/${leadId}`);
	number.value = lead.phone_number;
	return `Lead ${lead.id} has the number ${number.value}.`;
}
