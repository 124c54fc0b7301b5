import { describe, expect, it } from '@jest/globals';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { getOperation } from '../../../../nodes/VoiceAssistantCalling/resources/index.ts';
import { contractOperations, newerOperations } from '../../../support/parity/contract.mts';

/** The settings of an assistant, with the defaults that the contract assumes (assistant-defaults). */
const [create, newer] = [contractOperations, newerOperations].map((operations) =>
	operations.find(({ operationId }) => operationId === 'createAssistant'),
);
const defaults = new Map(
	[newer, create].flatMap((operation) =>
		(operation?.requestValues ?? []).map(({ name, schema }) => [name, schema.default] as const),
	),
);

/** No document says its default. */
const WITHOUT_DEFAULT = 'ambientSound';

const { fields } = getOperation('assistant', 'create');
/** Fields that this package does not know are no group of settings. */
const groups = fields.filter(
	({ type, name }) => type === 'collection' && name !== 'additionalFields',
);
const settings = groups.flatMap(({ options = [] }) => options.filter((option) => 'type' in option));

/** A default as the screen shows it. */
function onScreen(value: unknown, { options = [] }: Field): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const option = options.find((each) => 'value' in each && each.value === value);
	return option?.name ?? String(value);
}

const toldDefault = ({ description = '' }: Field) =>
	/ Assumed default: (.+)\.$/.exec(description)?.[1];

describe('the optional settings of an assistant', () => {
	it('are all in a group, or on the form itself', () => {
		const members = [...fields, ...settings].map(({ routing }) => routing?.send.property);
		const offered = new Set(members.map((property) => property?.split('.')[0]));
		const optional = create?.requestValues.filter(({ required }) => !required) ?? [];
		const names = new Set(optional.map(({ name }) => name.split(/\.|\[/)[1]));
		expect(names.size).toBeGreaterThan(25);
		// *Min Interrupt Words* sets it.
		names.delete('use_min_interrupt_words');
		expect([...names].filter((name) => !offered.has(name))).toEqual([]);
	});

	it.each(groups.map((group) => [group.displayName, group] as const))(
		'%s says what happens to settings that are not added',
		(_name, { name, description }) => {
			expect(description).toMatch(/ A setting that you do not add gets the default of the service/);
			const updated = getOperation('assistant', 'update').fields.find((each) => each.name === name);
			expect(updated?.description).toMatch(/ A setting that you do not add stays as it is\.$/);
		},
	);

	const choices = settings.filter(({ type }) => ['boolean', 'number', 'options'].includes(type));

	it.each(choices.map((setting) => [setting.displayName, setting] as const))(
		'%s names the default that is assumed, and no other',
		(_name, setting) => {
			const assumed = defaults.get(`body.${setting.routing?.send.property}`);
			expect(assumed === undefined).toBe(setting.name === WITHOUT_DEFAULT);
			const shown = assumed === undefined ? undefined : onScreen(assumed, setting);
			expect(toldDefault(setting)).toBe(shown);
		},
	);
});
