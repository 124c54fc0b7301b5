import { describe, expect, it } from '@jest/globals';
import {
	getLabel,
	withLabels,
} from '../../../../nodes/VoiceAssistantCalling/fields/fieldLabels.ts';
import { getOperation } from '../../../../nodes/VoiceAssistantCalling/resources/index.ts';

const getFields = (resource: string, operation: string) => getOperation(resource, operation).fields;

describe('the label of a name on the wire', () => {
	it.each([
		['lead', 'phone_number', 'Phone Number'],
		['lead', 'variables', 'Variables'],
		['lead', 'variables.customer_name', 'Customer Name'],
		['lead', 'variables.city', 'Variables → city'],
		['lead', 'secondary_contacts', 'Secondary Contacts'],
		['lead', 'secondary_contacts.1', 'Secondary Contacts → 2'],
		['lead', 'secondary_contacts.1.phone_number', 'Secondary Contacts → 2 → Phone Number'],
		['lead', 'secondary_contacts.0.age', 'Secondary Contacts → 1 → age'],
		['midCallTool', 'schema.0.description', 'Parameters → 1 → Description'],
		['midCallTool', 'schema.10.name', 'Parameters → 11 → Name'],
		['midCallTool', 'description', 'Description'],
		['assistant', 'assistant_name', 'Name'],
		['assistant', 'end_call_tool.description', 'End Call Tool Description'],
		['assistant', 'tool_ids.0', 'Tools → 1'],
	])('of a new %s, %s, is "%s"', (resource, path, label) => {
		expect(getLabel(getFields(resource, 'create'), path)).toBe(label);
	});

	it.each(['one', 'phone', 'phone.number', '0', '', 'toString'])(
		'is the name itself if no field sends it: "%s"',
		(path) => {
			expect(getLabel(getFields('lead', 'create'), path)).toBe(path);
		},
	);

	it('comes only from the fields of the operation', () => {
		expect(getLabel(getFields('campaign', 'start'), 'phone_number')).toBe('phone_number');
	});
});

it('the messages of an error are named by the labels', () => {
	const errors = { phone_number: ['Invalid.', 'Too short.'], one: ['First.'] };
	expect(withLabels(getFields('lead', 'create'), errors)).toEqual({
		'Phone Number': ['Invalid.', 'Too short.'],
		one: ['First.'],
	});
});
