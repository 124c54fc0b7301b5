import { describe, expect, it } from '@jest/globals';
import {
	nodeNameToToolName,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';
import { ACTION } from '../../host/n8n/names.mts';
import { VoiceAssistantCalling } from '../../nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.ts';
import { VoiceAssistantCallingPollTrigger } from '../../nodes/VoiceAssistantCallingPollTrigger/VoiceAssistantCallingPollTrigger.node.ts';
import { VoiceAssistantCallingTrigger } from '../../nodes/VoiceAssistantCallingTrigger/VoiceAssistantCallingTrigger.node.ts';
import { packageNodeTypes } from '../support/n8n/package.mts';

/**
 * What n8n's lint rules cannot check: they read one literal at a time. They do not know which fields an
 * operation shows together, nor what costs money.
 */
const action = new VoiceAssistantCalling();
const NODES: [name: string, node: INodeType][] = [
	action,
	new VoiceAssistantCallingTrigger(),
	new VoiceAssistantCallingPollTrigger(),
].map((node) => [node.description.displayName, node]);

/** A longer "Add Setting" list is hard to read in n8n. */
const MOST_MEMBERS = 12;

/** n8n 2.41 cuts off longer labels in a collection (npm run test:browser shows it). */
const LONGEST_LABEL = 28;

interface Shown {
	/** `Filters → From Date` */
	label: string;
	field: INodeProperties;
}

/** A field and the fields inside it. */
function shown(field: INodeProperties, prefix = ''): Shown[] {
	const label = prefix + field.displayName;
	const inside = (field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [{ label, field }, ...inside.flatMap((each) => shown(each, `${label} → `))];
}

/** `midCallTool` → `mid call tool` */
const wordsOf = (resource: string) =>
	resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const optionsOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option) => 'value' in option);

const operations = action.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap((field) => {
		const [resource] = field.displayOptions?.show?.resource ?? [];
		if (typeof resource !== 'string') throw new Error('The operations belong to no resource');
		return optionsOf(field).map((option) => ({
			name: `${resource}/${option.value}`,
			resource,
			option,
		}));
	});

/** The fields of an operation, in the order of the screen. */
const fieldsOf = (resource: string, operation: unknown) =>
	action.description.properties.filter(({ displayOptions }) => {
		const { show } = displayOptions ?? {};
		return show?.resource?.includes(resource) && show.operation?.includes(String(operation));
	});

/** The names that a list holds more than once. */
const twice = (names: string[]) => names.filter((name, index) => names.indexOf(name) !== index);

/** Words that start with a small letter in a title, unless they come first. */
const SMALL_WORDS = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;

const isTitle = (text: string) =>
	text
		.split(/[\s-]/)
		.every((word, index) => /^[("']?[A-Z0-9]/.test(word) || (index > 0 && SMALL_WORDS.test(word)));

describe.each(NODES)('%s', (_, node) => {
	const { description, methods } = node;
	const all = description.properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => shown(field));

	/** The labels of the fields that break a rule. */
	const breaking = (breaks: (field: INodeProperties) => boolean) =>
		all.filter(({ field }) => breaks(field)).map(({ label }) => label);

	it('writes the names of fields and options as titles', () => {
		const names = all.flatMap(({ field }) => [
			field.displayName,
			...(field.options ?? []).map((option) =>
				'displayName' in option ? option.displayName : option.name,
			),
		]);
		expect(names.filter((name) => !isTitle(name))).toEqual([]);
	});

	it(`has labels of at most ${LONGEST_LABEL} characters`, () => {
		expect(breaking(({ displayName }) => displayName.length > LONGEST_LABEL)).toEqual([]);
	});

	it(`puts at most ${MOST_MEMBERS} fields into a collection, each once`, () => {
		const collections = all.filter(({ field }) => field.type === 'collection');
		for (const { label, field } of collections) {
			const members = (field.options ?? []).filter((option) => 'type' in option);
			expect([label, members.length <= MOST_MEMBERS]).toEqual([label, true]);
			expect([label, twice(members.map(({ name }) => name))]).toEqual([label, []]);
			expect([label, twice(members.map((each) => each.displayName))]).toEqual([label, []]);
		}
	});

	it('shows examples in text fields, and an invitation in collections', () => {
		const isGroup = ({ type }: INodeProperties) => /collection/i.test(type);
		expect(
			breaking((field) => {
				const { placeholder } = field;
				if (isGroup(field)) return !placeholder?.startsWith('Add ');
				return placeholder !== undefined && !/^e\.g\. \S/.test(placeholder);
			}),
		).toEqual([]);
	});

	it('names the limits of a number as "from 1 to 5", and no unit without saying which', () => {
		expect(
			breaking(({ type, typeOptions, description = '' }) => {
				const { minValue: min, maxValue: max } = typeOptions ?? {};
				if (type !== 'number' || min === undefined || max === undefined) return false;
				return !description.includes(`from ${min} to ${max}`);
			}),
		).toEqual([]);
		expect(
			breaking(
				({ displayName }) =>
					/duration|interval|timeout/i.test(displayName) &&
					!/ \((Seconds|Milliseconds)\)$/.test(displayName),
			),
		).toEqual([]);
	});

	it('fills its lists by methods that it has', () => {
		const searches = all.flatMap(({ field }) =>
			(field.modes ?? []).flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
		);
		const loaders = all.flatMap(({ field }) => field.typeOptions?.loadOptionsMethod ?? []);
		expect(Object.keys(methods?.listSearch ?? {}).sort()).toEqual([...new Set(searches)].sort());
		expect(Object.keys(methods?.loadOptions ?? {}).sort()).toEqual([...new Set(loaders)].sort());
	});

	it('has its credential tested by a function of the package', () => {
		const tests = description.credentials?.map(({ testedBy }) => testedBy);
		expect(tests).toEqual(['testCredential']);
		expect(Object.keys(action.methods.credentialTest)).toContain('testCredential');
	});

	it('says under its name what it does, from fields that it has', () => {
		const named = [...(description.subtitle ?? '').matchAll(/\$parameter\["(\w+)"\]/g)];
		const fields = description.properties.map(({ name }) => name);
		expect(named).not.toEqual([]);
		expect(named.map(([, name]) => name).filter((name) => !fields.includes(String(name)))).toEqual(
			[],
		);
	});
});

describe.each(operations)('$name', ({ resource, option }) => {
	const fields = fieldsOf(resource, option.value);

	it('shows each field once', () => {
		expect(fields).not.toEqual([]);
		expect(twice(fields.map(({ name }) => name))).toEqual([]);
		expect(twice(fields.map(({ displayName }) => displayName))).toEqual([]);
	});

	it('asks for what is required first', () => {
		// Limit belongs to Return All, and comes right after it.
		const always = fields.filter(({ displayOptions }) => !displayOptions?.show?.returnAll);
		const isRequired = always.map(({ required = false }) => required);
		expect(isRequired).toEqual([...isRequired].sort((a, b) => Number(b) - Number(a)));
	});

	// n8n 2.0 does not shorten the name, and OpenAI refuses the whole request of the agent.
	it('has a name as a tool that a model takes', () => {
		const name = `${option.action} in ${action.description.defaults.name}`;
		expect(nodeNameToToolName(name)).toHaveLength(name.length);
		expect(name.length).toBeLessThanOrEqual(64);
	});

	it('has an action without articles that names the resource', () => {
		const words = (option.action ?? '').split(' ');
		expect(words.filter((word) => /^(a|an|the)$/i.test(word))).toEqual([]);
		expect(option.action?.toLowerCase()).toMatch(new RegExp(`\\b${wordsOf(resource)}s?\\b`));
	});
});

describe("n8n's AI builder", () => {
	it('is told of nodes that the package has', () => {
		const related = action.description.builderHint?.relatedNodes ?? [];
		const own = [...packageNodeTypes.keys()].filter((type) => type !== ACTION);
		expect(related.map(({ nodeType }) => nodeType).sort()).toEqual(own.sort());
	});
});

describe('what costs money', () => {
	it.each(['lead/create', 'campaign/start', 'sms/send'])('%s says so', (name) => {
		const operation = operations.find((each) => each.name === name);
		expect(operation?.option.description).toMatch(/\bcosts? money\b/);
	});

	// n8n tells an AI agent only the action (n8n 2.0, 2.41). A person reads the description.
	it.each(['campaign/start', 'sms/send'])('%s says so in its action too', (name) => {
		const operation = operations.find((each) => each.name === name);
		expect(operation?.option.action).toMatch(/\bpaid\b/);
	});
});

describe('an update of lists', () => {
	it.each([
		['assistant', 'Specify Variables'],
		['midCallTool', 'Specify Parameters'],
	])('of %s says before %s that they replace those that are there', (resource, firstList) => {
		const fields = fieldsOf(resource, 'update');
		const notice = fields.findIndex(({ type }) => type === 'notice');
		expect(fields[notice]?.displayName).toMatch(/replaces everything/);
		expect(fields[notice + 1]?.displayName).toBe(firstList);
		expect(fieldsOf(resource, 'create').some(({ type }) => type === 'notice')).toBe(false);
	});
});
