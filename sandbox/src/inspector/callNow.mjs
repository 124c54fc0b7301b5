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

/** So many assistants and leads can be chosen from a list. */
const LISTED = 200;

/** Begins the names of the fields for what an assistant finds out. */
const PREFIX = 'value ';

/** @type {number | undefined} */
let lastAssistant;

/** Asks whom to call, and starts the call. @param {Chosen} [chosen] */
export const openCallNow = (chosen = {}) =>
	attempt(async () => {
		const [{ data: assistants }, { data: leads }, { data: scenarios }] = await Promise.all([
			ask('records/assistants', { limit: LISTED }),
			ask('records/leads', { limit: LISTED }),
			ask('scenarios'),
		]);
		const { leadId } = chosen;
		if (leadId && !leads.some((/** @type {Row} */ one) => one.id === leadId)) {
			leads.push(await ask(`records/leads/${leadId}`));
		}
		assistants.sort((/** @type {Row} */ one, /** @type {Row} */ other) => one.id - other.id);
		const wanted = chosen.assistantId ?? lastAssistant;
		const { id } =
			assistants.find((/** @type {Row} */ one) => one.id === wanted) ?? assistants[0] ?? {};
		if (id === undefined) return;
		const first = await loadAssistant(id);
		openDialog(h(CallNow, { assistants, leads, scenarios, first, chosen }));
	});

/** @param {number} id */
async function loadAssistant(id) {
	const { settings, tools } = await ask(`records/assistants/${id}`);
	return { id, schema: settings.post_call_schema, hasTool: tools.length > 0 };
}

/** @param {{ assistants: Row[], leads: Row[], scenarios: Row[], first: Row, chosen: Chosen }} parts `first`: at first */
function CallNow({ assistants, leads, scenarios, first, chosen }) {
	const latest = useRef(first.id);
	const [{ id, schema, hasTool }, setAssistant] = useState(first);
	const [scenario, setScenario] = useState(chosen.scenario ?? '');
	const { direction = 'outbound', phoneNumber = '+14155550123', leadId } = chosen;
	const values = schema === first.schema ? chosen.values : {};
	const user = assistants.find((one) => one.id === id)?.user_id;
	const ownLeads = leads.filter((lead) => lead.user_id === user);

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
			label: 'Lead',
			name: 'lead_id',
			options: [['', 'None'], ...ownLeads.map(toOption)],
			value: leadId ?? '',
			hint: 'Only when the assistant calls: the call belongs to the lead’s campaign.',
			onchange: ({ currentTarget: { value, form } }) => {
				const lead = leads.find((one) => one.id === Number(value));
				if (lead) setValue(form, 'number', lead.phone_number);
			},
		},
		{
			label: 'Phone number of the person',
			name: 'number',
			type: 'tel',
			value: phoneNumber,
			hint: 'Empty: the person suppresses it (inbound).',
			// It is another number than the lead's.
			oninput: ({ currentTarget: { form } }) => setValue(form, 'lead_id', ''),
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
	const label = 'What the assistant finds out';
	const hint = 'Empty: the sandbox makes it up.';
	const fields = schema.map(({ name, type, description }) => ({
		label: name,
		name: PREFIX + name,
		title: description,
		value: String(values[name] ?? ''),
		...(type === 'bool' && { options: ['', 'true', 'false'] }),
		...(type === 'number' && { type: 'number', step: 'any' }),
	}));
	return [{ label, hint, fields, key: assistantId }];
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

/** @type {(lead: Row) => [value: number, text: string]} */
const toOption = ({ id, name, phone_number: number }) => [
	id,
	[id, name, number].filter(Boolean).join(' · '),
];

/** Sets a field that depends on another one. @type {(form: HTMLFormElement | null, name: string, value: string) => void} */
function setValue(form, name, value) {
	const field = form?.elements.namedItem(name);
	if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
}
