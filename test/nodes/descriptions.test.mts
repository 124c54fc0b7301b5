import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nodeNameToToolName, Workflow, type INodeProperties, type INodeType } from 'n8n-workflow';
import { ACTION } from '../../host/n8n/names.mts';
import { resources } from '../../nodes/VoiceAssistantCalling/resources/index.ts';
import { VoiceAssistantCalling } from '../../nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.ts';
import { VoiceAssistantCallingMidCallToolTrigger } from '../../nodes/VoiceAssistantCallingMidCallToolTrigger/VoiceAssistantCallingMidCallToolTrigger.node.ts';
import { eslint } from '../support/eslint.mts';
import { OPERATIONS } from '../support/n8n/operations.mts';
import { packageNodeTypes } from '../support/n8n/package.mts';
import { root } from '../support/package.mts';
import { onlyInFull } from '../support/sample.mts';

/**
 * What n8n's lint rules cannot check: they read one literal at a time. They do not know which fields an
 * operation shows together, nor what costs money. Tests that name a rule check what n8n's lint plugin has in
 * its repository, but not in its latest release (0.32.0).
 */
const action = new VoiceAssistantCalling();
const NODES = [...packageNodeTypes.values()].map((node): [name: string, node: INodeType] => [
	node.description.displayName,
	node,
]);

/** A longer "Add Setting" list is hard to read in n8n. */
const MOST_MEMBERS = 12;

/** n8n 2.41 cuts off longer labels in a collection (npm run test:browser shows it). */
const LONGEST_LABEL = 28;

/** `hint-max-length` */
const LONGEST_HINT = 120;

/** These fields hold no input, or always have a value: `non-required-fields-in-collection`. */
const NEVER_EMPTY = [
	...['collection', 'fixedCollection', 'notice', 'callout', 'hidden'],
	...['boolean', 'number', 'options', 'multiOptions'],
];

/** Whether the value of another field shows the field, so that it has a meaning only there. */
const belongsToAnother = ({ displayOptions }: INodeProperties) =>
	Object.keys(displayOptions?.show ?? {}).some((name) => !/^(resource|operation|@\w+)$/.test(name));

/** Optional fields at the top of the form, and the reason why they are in no collection. */
const OPTIONAL_AT_THE_TOP: Record<string, string> = {
	'Customer Name': 'Nearly every lead has one, and a row of a list fills it in.',
	Email: 'The second of the two variables that the service itself defines for a lead.',
	'Query Parameters (JSON)': 'A path must not have them, and most requests that read need some.',
	'Campaign IDs': "Like the list 'Assistants' above it, it decides which calls start the workflow.",
};

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
const toWords = (resource: string) =>
	resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const operations = action.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource = ''] = (displayOptions?.show?.resource ?? []) as string[];
		return options
			.filter((option) => 'value' in option)
			.map((option) => ({ name: `${resource}/${option.value}`, resource, option }));
	});

/** The fields of an operation, in the order of the screen. */
const getFields = (resource: string, operation: unknown) =>
	action.description.properties.filter(({ displayOptions }) => {
		const { show } = displayOptions ?? {};
		return show?.resource?.includes(resource) && show.operation?.includes(String(operation));
	});

/** Whether the user writes the request of an operation, so that the contract does not have it. */
const isWrittenByUser = (resource: string, operation: unknown) =>
	'toRequest' in (resources[resource]?.operations[String(operation)] ?? {});

/** The names that a list holds more than once. */
const twice = (names: unknown[]) => names.filter((name, index) => names.indexOf(name) !== index);

/** Words that start with a small letter in a title, unless they come first. */
const SMALL_WORDS = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;

const isTitle = (text: string) =>
	text
		.split(/[\s-]/)
		.every((word, index) => /^[("']?[A-Z0-9]/.test(word) || (index > 0 && SMALL_WORDS.test(word)));

describe.each(NODES)('%s', (_, node) => {
	const { description, methods } = node;
	// n8n adds Poll Times to each node that polls.
	const properties = description.properties.filter(({ name }) => name !== 'pollTimes');
	const all = properties.filter(({ type }) => type !== 'notice').flatMap((field) => shown(field));

	/** The labels of the fields that break a rule. */
	const breaking = (breaks: (field: INodeProperties) => boolean) =>
		all.filter(({ field }) => breaks(field)).map(({ label }) => label);

	// The rules look for fields in one literal, and ours are in many files.
	// The action node has so many fields that it takes seconds.
	const lintsFields = node === packageNodeTypes.get(ACTION) ? onlyInFull(it) : it;
	lintsFields("has fields that n8n's lint rules find nothing in", async () => {
		const json = JSON.stringify({ ...description, properties }, null, '\t');
		const literal = json.replaceAll(/"(\w+)":/g, '$1:');
		const [result] = await eslint.lintText(`export class X { description = ${literal}; }`, {
			filePath: join(root, 'nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.ts'),
		});
		// In a test, the plugin takes each file for a trigger too, so its rules for whole nodes do not fit here.
		const problems = result?.messages.map(({ ruleId }) => ruleId ?? 'unreadable');
		expect(problems?.filter((rule) => /node-param-|unreadable/.test(rule))).toEqual([]);
	});

	it('describes each field, and says in words which pickers must not be empty', () => {
		// n8n names these two itself.
		const isChoice = ({ name }: INodeProperties) => ['resource', 'operation'].includes(name);
		expect(breaking((field) => !field.description && !isChoice(field))).toEqual([]);
		const isUnmarked = ({ type, required, description: text = '' }: INodeProperties) =>
			type === 'resourceLocator' && text.startsWith('Required.') !== (required === true);
		expect(breaking(isUnmarked)).toEqual([]);
	});

	it('writes the names of fields and options as titles', () => {
		const names = all.flatMap(({ field }) => [
			field.displayName,
			...(field.options ?? []).map((option) =>
				'displayName' in option ? option.displayName : option.name,
			),
		]);
		expect(names.filter((name) => !isTitle(name))).toEqual([]);
	});

	it(`has labels of at most ${LONGEST_LABEL} characters in collections`, () => {
		const isInCollection = (label: string) => label.includes(' → ');
		const tooLong = all.filter(
			({ label, field }) => isInCollection(label) && field.displayName.length > LONGEST_LABEL,
		);
		expect(tooLong.map(({ label }) => label)).toEqual([]);
	});

	it(`puts at most ${MOST_MEMBERS} fields into a collection, each once`, () => {
		expect(
			breaking(({ type, options = [] }) => {
				const names = options.map(({ name }) => name);
				const labels = options.map((each) => ('displayName' in each ? each.displayName : ''));
				const isWrong = names.length > MOST_MEMBERS || twice([...names, ...labels]).length > 0;
				return type === 'collection' && isWrong;
			}),
		).toEqual([]);
	});

	it('shows examples in text fields, and an invitation in collections', () => {
		expect(
			breaking(({ type, placeholder }) => {
				if (/collection/i.test(type)) return !placeholder?.startsWith('Add ');
				return placeholder !== undefined && !/^e\.g\. \S/.test(placeholder);
			}),
		).toEqual([]);
	});

	it('has a lower limit for each number, which a wrong one is told', () => {
		expect(
			breaking(({ type, typeOptions }) => type === 'number' && typeOptions?.minValue === undefined),
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

	it(`has hints of at most ${LONGEST_HINT} characters (hint-max-length)`, () => {
		const isLong = ({ hint = '' }: { hint?: string }) => hint.length > LONGEST_HINT;
		expect(breaking((field) => [field, ...(field.modes ?? [])].some(isLong))).toEqual([]);
	});

	it('keeps optional fields in collections (non-required-fields-in-collection)', () => {
		const optional = description.properties.filter(
			(field) => !field.required && !belongsToAnother(field) && !NEVER_EMPTY.includes(field.type),
		);
		const labels = optional.map(({ displayName }) => displayName);
		expect(labels.filter((label) => !(label in OPTIONAL_AT_THE_TOP))).toEqual([]);
	});

	it('requires nothing inside a collection, which is optional itself', () => {
		expect(
			breaking(
				({ type, options = [] }) =>
					type === 'collection' && options.some((option) => 'type' in option && option.required),
			),
		).toEqual([]);
	});

	// n8n 2.41 stops such an expression after 250 ms, before each execution. On a busy machine this failed
	// executions whose webhook request was already answered with 200.
	it('leaves no regular expression of its pickers to n8n', () => {
		expect(
			breaking(({ modes = [] }) =>
				modes.some(({ validation, extractValue }) => validation ?? extractValue),
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

it.each([
	['midCallTool', 'create', 'create: mid call tool'],
	['call', 'respond', 'respond: call'],
	['call', 'getAll', 'get many: call'],
	['sms', 'send', 'send: sms'],
])(
	'the action node says under its name in words what it does: %s %s',
	(resource, operation, words) => {
		const node = {
			...{
				id: '1',
				name: 'Action',
				type: ACTION,
				typeVersion: 1,
				position: [0, 0] as [number, number],
			},
			parameters: { resource, operation },
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: {
				getByName: () => action,
				getByNameAndVersion: () => action,
				getKnownTypes: () => ({}),
			},
		});
		const { subtitle } = action.description;
		expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(words);
	},
);

it('the mid call tool trigger begins with what makes up a tool', () => {
	const fields = new VoiceAssistantCallingMidCallToolTrigger().description.properties;
	const asked = fields.filter(({ type }) => type !== 'notice');
	expect(asked.slice(0, 4).map(({ displayName }) => displayName)).toEqual([
		'Tool Name',
		'Tool Description',
		'Parameters',
		'Assistants',
	]);
});

describe.each(operations)('$name', ({ name, resource, option }) => {
	const fields = getFields(resource, option.value);

	// n8n tells an AI agent only the action (n8n 2.0, 2.41). A person reads the description.
	it('says that it costs money, and only if it does', () => {
		const inContract = OPERATIONS.find((each) => each.name === name.replace('/', ': '));
		// A request that the user writes can be any.
		const costs = isWrittenByUser(resource, option.value) ? 'if-any' : inContract?.costsMoney;
		expect(/\bcosts? money\b/.test(String(option.description))).toBe(costs !== undefined);
		expect(/\bpaid\b/.test(String(option.action))).toBe(costs === 'always');
	});

	it('says that providers may lack it, and only if the contract does not have it', () => {
		const inContract = OPERATIONS.find((each) => each.name === name.replace('/', ': '));
		const isDocumented = 'x-documented' in (inContract?.service.definition ?? {});
		const words = / Not in the contract: some providers may lack it\.$/;
		expect(words.test(String(option.description))).toBe(isDocumented);
	});

	it('says that it cannot be undone, and only if it deletes', () => {
		const inContract = OPERATIONS.find((each) => each.name === name.replace('/', ': '));
		const deletes = inContract?.request.method === 'DELETE';
		expect(/cannot be undone/.test(String(option.description))).toBe(deletes);
	});

	it('shows each field once', () => {
		// The account is the one of the credential.
		if (name !== 'account/get') expect(fields).not.toEqual([]);
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
		const tool = `${option.action} in ${action.description.defaults.name}`;
		expect(nodeNameToToolName(tool)).toHaveLength(tool.length);
		expect(tool.length).toBeLessThanOrEqual(64);
	});

	it('has an action without articles that names the resource', () => {
		const words = (option.action ?? '').split(' ');
		expect(words.filter((word) => /^(a|an|the)$/i.test(word))).toEqual([]);
		expect(option.action?.toLowerCase()).toMatch(new RegExp(`\\b${toWords(resource)}s?\\b`));
	});
});

it("n8n's AI builder is told of nodes that the package has", () => {
	const related = action.description.builderHint?.relatedNodes ?? [];
	const own = [...packageNodeTypes.keys()].filter((type) => type !== ACTION);
	expect(related.map(({ nodeType }) => nodeType).sort()).toEqual(own.sort());
});

it.each([
	['assistant', 'Specify Variables'],
	['midCallTool', 'Specify Parameters'],
])('an update of %s says before %s that lists replace those that are there', (resource, first) => {
	const fields = getFields(resource, 'update');
	const notice = fields.findIndex(({ type }) => type === 'notice');
	expect(fields[notice]?.displayName).toMatch(/replaces everything/);
	expect(fields[notice + 1]?.displayName).toBe(first);
	expect(getFields(resource, 'create').some(({ type }) => type === 'notice')).toBe(false);
});
