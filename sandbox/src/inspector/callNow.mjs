import { ask, change } from './api.mjs';
import { Dialog, openDialog } from './dialog.mjs';
import { attempt } from './messages.mjs';
import { toHref } from './route.mjs';
import { h, useRef, useState } from './vendor/preact.js';

/**
 * With what the form is filled in; without an assistant it is the one that was used last.
 * @typedef {{
 *   assistantId?: number, leadId?: number, phoneNumber?: string, direction?: string, scenario?: string,
 *   tool?: { name: string, arguments: Row } | undefined, values?: Row
 * }} Chosen
 */

/** So many assistants and leads can be chosen from a list. */
const LISTED = 200;

/** Begin the names of the fields for what an assistant sends to a tool, and for what it finds out. */
const ARGUMENT = 'argument.';
const VALUE = 'value.';

/** @type {number | undefined} */
let lastAssistant;

/** @param {Row | undefined} assistant @returns {string} */
const ownDirection = (assistant) =>
	assistant?.calls_direction === 'receive' ? 'inbound' : 'outbound';

/**
 * A number of a person for each assistant, so that a trial with one leaves the persons of the others alone. It is
 * reserved for fiction, chooses no scenario, and is no number of a seed.
 * @param {number} id of the assistant
 */
const ownNumber = (id) => `+1415555${String(170 + (id % 30)).padStart(4, '0')}`;

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
	// An assistant calls the one with the fewest arguments, unless another one is chosen.
	const byArguments = tools.toSorted(
		(/** @type {Row} */ one, /** @type {Row} */ other) => one.schema.length - other.schema.length,
	);
	return { id, schema: settings.post_call_schema, tools: byArguments };
}

/** @param {{ assistants: Row[], leads: Row[], scenarios: Row[], first: Row, chosen: Chosen }} parts `first`: at first */
function CallNow({ assistants, leads, scenarios, first, chosen }) {
	const latest = useRef(first.id);
	const [{ id, schema, tools }, setAssistant] = useState(first);
	const [scenario, setScenario] = useState(chosen.scenario ?? '');
	const [toolName, setToolName] = useState(chosen.tool?.name);
	const find = (/** @type {number} */ wantedId) => assistants.find((one) => one.id === wantedId);
	const { leadId, phoneNumber = ownNumber(first.id) } = chosen;
	const { direction = leadId ? 'outbound' : ownDirection(find(first.id)) } = chosen;
	const values = schema === first.schema ? chosen.values : {};
	const wanted = scenarios.find(({ name }) => name === scenario);
	const tool = wanted?.calls_tool
		? (tools.find((/** @type {Row} */ one) => one.name === toolName) ?? tools[0])
		: undefined;
	const user = find(id)?.user_id;
	const ownLeads = leads.filter((lead) => lead.user_id === user);

	const changeAssistant = (
		/** @type {number} */ next,
		/** @type {HTMLFormElement | null} */ form,
	) =>
		attempt(async () => {
			const before = latest.current;
			latest.current = next;
			// What somebody chose or typed stays, and so does the number of a lead.
			if (getField(form, 'lead_id')?.value === '') {
				setValue(form, 'direction', ownDirection(find(next)), ownDirection(find(before)));
				setValue(form, 'number', ownNumber(next), ownNumber(before));
			}
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
			onchange: ({ currentTarget: { value, form } }) => changeAssistant(Number(value), form),
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
			hint: scenarioHint(wanted, tools.length > 0),
			onchange: ({ currentTarget: { value } }) => setScenario(value),
		},
		...toolFields(id, tools, tool, chosen.tool, setToolName),
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
			...(tool && {
				tool: { name: tool.name, ...inputs('arguments', ARGUMENT, tool.schema, form) },
			}),
			...inputs('values', VALUE, schema, form),
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
 * With these one chooses the tool that an assistant calls, and what it sends.
 * @type {(assistantId: number, tools: Row[], tool: Row | undefined, chosen: Chosen['tool'], choose: (name: string) => void) => Field[]}
 */
function toolFields(assistantId, tools, tool, chosen, choose) {
	if (!tool) return [];
	/** @type {Field} */
	const list = {
		label: 'Tool',
		name: 'tool',
		options: tools.map(({ name }) => name),
		value: tool.name,
		onchange: ({ currentTarget: { value } }) => choose(value),
	};
	const given = chosen && chosen.name === tool.name ? chosen.arguments : {};
	const fields = [list, ...inputFields(ARGUMENT, tool.name, tool.schema, given)];
	const hint =
		'All arguments empty: the sandbox makes them up. Otherwise the tool gets only what is here.';
	return [{ label: 'Tool that the assistant calls', hint, fields, key: `tool ${assistantId}` }];
}

/**
 * With these one chooses what an assistant finds out. An empty field leaves that to the sandbox.
 * @type {(assistantId: number, schema: Row[], values?: Row) => Field[]}
 */
function valueFields(assistantId, schema, values) {
	if (schema.length === 0) return [];
	const label = 'What the assistant finds out';
	const hint = 'Empty: the sandbox makes it up.';
	const fields = inputFields(VALUE, String(assistantId), schema, values);
	return [{ label, hint, fields, key: `values ${assistantId}` }];
}

/**
 * A field for each entry of a schema of an assistant or a tool, which call a yes or no `bool` and `boolean`.
 * @type {(prefix: string, owner: string, schema: Row[], values?: Row) => Field[]}
 */
const inputFields = (prefix, owner, schema, values = {}) =>
	schema.map(({ name, type, description }) => ({
		key: `${owner} ${name}`,
		label: name,
		name: prefix + name,
		hint: description,
		value: String(values[name] ?? ''),
		...(type.startsWith('bool') && { options: ['', 'true', 'false'] }),
		...(type === 'number' && { type: 'number', step: 'any' }),
	}));

/**
 * What was filled in there, in the types of the schema.
 * @type {(input: string, prefix: string, schema: Row[], form: { [name: string]: string }) => Row}
 */
function inputs(input, prefix, schema, form) {
	const values = schema.flatMap(({ name, type }) => {
		const text = form[prefix + name] ?? '';
		if (text === '') return [];
		if (type === 'number') return [[name, Number(text)]];
		return [[name, type.startsWith('bool') ? text === 'true' : text]];
	});
	return values.length > 0 ? { [input]: Object.fromEntries(values) } : {};
}

/** @type {(lead: Row) => [value: number, text: string]} */
const toOption = ({ id, name, phone_number: number }) => [
	id,
	[id, name, number].filter(Boolean).join(' · '),
];

/** A field, or the radio buttons of one. @type {(form: HTMLFormElement | null, name: string) => { value: string } | undefined} */
function getField(form, name) {
	const field = form?.elements.namedItem(name);
	return field && 'value' in field ? field : undefined;
}

/**
 * Sets a field that depends on another one, unless it has another value than before.
 * @type {(form: HTMLFormElement | null, name: string, value: string, before?: string) => void}
 */
function setValue(form, name, value, before) {
	const field = getField(form, name);
	if (field && (before === undefined || field.value === before)) field.value = value;
}
