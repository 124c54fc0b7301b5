import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { enter, operationNamed, OPERATIONS } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { asObject, resolve, type Operation } from '../../../../sandbox/test/support/contract.mts';
import { references } from '../../../../sandbox/test/support/examples.mts';

useDefaultEngine();
const { n8n } = await startTestEnvironment();
// A call that the list does not have yet is looked for again.
beforeEach(skipWaits);
afterEach(useRealTime);

/** Expects that an operation with other parameters is refused with this error of its item. */
async function expectRefusal(name: string, fields: INodeParameters, error: IDataObject) {
	const { output } = await n8n.runNode({
		parameters: { ...operationNamed(name).parameters, ...fields },
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	expect(output[1][0]?.json.error).toEqual({ result: 'refused', errors: {}, ...error });
}

/** An ID that does not exist, and one of another user. */
const FOREIGN = ['999', '101'];

const messageFor = (record: string) => `${record[0]?.toUpperCase()}${record.slice(1)} not found`;

/** Whether the contract has a 404 of an operation with this message. */
function mayRespond({ definition }: Operation, message: string): boolean {
	const { 404: notFound } = asObject(definition.responses, 'responses');
	return notFound !== undefined && JSON.stringify(resolve(notFound, '404').value).includes(message);
}

/** Each place of an operation where the ID of a record is entered that may not be found. */
const places = OPERATIONS.flatMap(({ name, service, idField, fields, readsList }) => {
	const own = String([service.definition.tags].flat()[0]);
	const inBody = references(service).flatMap(({ property, record }) => {
		if (property === undefined || !mayRespond(service, messageFor(record))) return [];
		const withId = (id: string) => enter(fields, new Map([[property, id]]));
		return Object.keys(withId('1')).length > 0 ? [{ name, record, withId, readsList: false }] : [];
	});
	if (!idField) return inBody;
	const withId = (id: string): INodeParameters => ({ [idField.name]: id });
	return [{ name, record: own, withId, readsList }, ...inBody];
});

describe.each(FOREIGN)('a record that the account does not have: %s', (id) => {
	it.each(places)('$name without its $record says so', async ({ name, record, ...place }) => {
		await expectRefusal(name, place.withId(id), {
			// Of a record that is in no page, the service has refused nothing.
			result: place.readsList ? 'failed' : 'refused',
			message: expect.stringMatching(
				`^('Campaign': )?${messageFor(record)}( or does not belong .*)?$`,
			),
			description: 'Check the ID. It does not exist in the account that the API token belongs to.',
			httpCode: '404',
		});
	});

	it('sms: send gives that message', async () => {
		await expectRefusal(
			'sms: send',
			{ phoneNumberId: id },
			{
				message: "'From Phone Number': From number not found",
				description: 'Fix the problem that the service reports, then try again.',
				httpCode: '400',
			},
		);
	});
});

const NO_VOICE = 'The selected voice id is invalid.';

it.each<[string, INodeParameters, string, string]>([
	['assistant: create', { voiceId: '999' }, 'Voice', NO_VOICE],
	['assistant: update', { updateFields: { voiceId: '999' } }, 'Voice', NO_VOICE],
])('%s %j is refused by the name on the screen: %s', async (name, fields, label, sentence) => {
	await expectRefusal(name, fields, {
		message: `'${label}': ${sentence}`,
		description: 'Correct this field, then try again.',
		httpCode: '422',
		errors: { [label]: [sentence] },
	});
});

it('lead: create with a campaign of another account says which account has to have it', async () => {
	const sentence = 'The selected campaign does not exist';
	await expectRefusal(
		'lead: create',
		{ campaignId: '999' },
		{
			message: `'Campaign': ${sentence}`,
			description:
				"Check that 'Campaign' is of the account of the API token.\nCorrect this field, then try again.",
			httpCode: '422',
			errors: { Campaign: [sentence] },
		},
	);
});

it('lead: update names the phone number if the service refuses it without its field', async () => {
	const fields = { updateFields: { phoneNumber: '123' } };
	await expectRefusal('lead: update', fields, {
		message: "'Phone Number': Invalid phone number",
		description:
			'The phone number was sent as 123. It is too short. Check its digits.\nFix the problem that the service reports, then try again.',
		httpCode: '422',
	});
});
