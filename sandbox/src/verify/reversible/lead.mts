import { randomInt } from 'node:crypto';

import { asAssumed, differs, notChecked, type Check } from '../check.mts';
import type { Response } from '../client.mts';
import { createLead, type CreatedLead } from '../createLead.mts';
import { errorFields, isObject, safeMessage, safeNames } from '../describe.mts';
import { isAccepted } from '../outcome.mts';
import { IMPOSSIBLE_ID } from '../refused/impossible.mts';
import { restoring } from '../restoring.mts';
import { observation, type Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import { stoppedCampaign } from '../stoppedCampaign.mts';
import { requireConsent } from './consent.mts';

/** A British number that is reserved for films: nobody has it. */
const reservedNumber = (): string => `+447700900${String(randomInt(1000)).padStart(3, '0')}`;

/** A variable beside the two that the description names. */
const OTHER_VARIABLE = { verify: 'yes' };

/** What became of a lead. */
interface LeadSteps {
	/** Whether it was created with another variable. */
	takesOtherVariables: boolean;
	/** Whether an update with another variable was accepted. */
	update: Response;
	/** The answer to the same lead once more. */
	duplicate: Response;
	/** The answer to moving it to a campaign that does not exist. */
	unknownCampaign: Response;
	/** The answer to moving it to a campaign that cannot exist. */
	impossibleCampaign: Response;
}

export const leadSteps = observation(async (run): Promise<LeadSteps> => {
	await requireConsent(run);
	return restoring(run, () => changeLead(run));
});

async function changeLead(run: Run): Promise<LeadSteps> {
	const { client } = run;
	const campaign_id = await stoppedCampaign(run);
	const fields = { phone_number: reservedNumber(), campaign_id };
	const variables = { customer_name: 'To be ignored' };
	const create = (more: object): Promise<CreatedLead> =>
		createLead(run, { ...fields, variables: { ...variables, ...more } });

	const other = await create(OTHER_VARIABLE);
	const plain = other.id === undefined ? await create({}) : other;
	if (plain.id === undefined) {
		const names = safeNames(errorFields(plain.response.body) ?? []);
		const errors = names === '' ? '' : `, errors of ${names}`;
		throw new CannotCheck(`The service refused a lead (${plain.response.status}${errors}).`);
	}
	const { response: duplicate } = await createLead(run, { ...fields, variables });
	const path = `/user/leads/${plain.id}`;
	const update = await client.write('PUT', path, {
		status: 'completed',
		variables: OTHER_VARIABLE,
	});
	const unknownCampaign = await client.write('PUT', path, { campaign_id: IMPOSSIBLE_ID });
	const impossibleCampaign = await client.write('PUT', path, { campaign_id: 0 });
	return {
		takesOtherVariables: other.id !== undefined,
		update,
		duplicate,
		unknownCampaign,
		impossibleCampaign,
	};
}

const leadVariableKeys: Check = {
	key: 'lead-variable-keys',
	level: 'reversible',
	async run(run) {
		const { takesOtherVariables, update } = await leadSteps(run);
		const expected = 'variables other than `customer_name` and `email` are accepted';
		const refused = [
			...(takesOtherVariables ? [] : ['on create']),
			...(isAccepted(update) ? [] : ['on update']),
		];
		if (refused.length === 0) return asAssumed(expected);
		return differs(expected, `refused ${refused.join(' and ')}`);
	},
};

const leadDuplicates: Check = {
	key: 'lead-duplicates',
	level: 'reversible',
	async run(run) {
		const { duplicate } = await leadSteps(run);
		const expected = 'a second lead with the same number is refused';
		if (!isAccepted(duplicate)) return asAssumed(expected);
		return differs(expected, 'it is accepted', {
			value: 'allowed',
			advice: 'On Duplicate: Skip does not prevent duplicates. Remove them before you add leads.',
		});
	},
};

/** The messages of `errors.phone_number`. */
function numberMessages({ body }: Response): string[] {
	const errors = isObject(body) ? body['errors'] : undefined;
	const messages = isObject(errors) ? errors['phone_number'] : undefined;
	return Array.isArray(messages) ? messages.map(String) : [];
}

const leadDuplicateRefusal: Check = {
	key: 'lead-duplicate-refusal',
	level: 'reversible',
	async run(run) {
		const { duplicate } = await leadSteps(run);
		const expected = 'its error of `phone_number` says "already" or "duplicate"';
		if (isAccepted(duplicate)) return notChecked(expected, 'Duplicates are accepted.');
		const messages = numberMessages(duplicate);
		const isTold = messages.length > 0 && messages.every((text) => /already|duplicate/i.test(text));
		if (isTold) return asAssumed(expected);
		const seen = messages.length > 0 ? 'other words' : 'no error of `phone_number`';
		return differs(expected, `status ${duplicate.status}, ${seen}`, {
			advice: 'On Duplicate: Skip does not recognise it. Use Fail, and an error output.',
		});
	},
};

const NOT_FOUND = 'Campaign not found';
const NOT_SELECTED = 'The selected campaign does not exist';

const leadUpdateCampaign: Check = {
	key: 'lead-update-campaign',
	level: 'reversible',
	async run(run) {
		const { unknownCampaign, impossibleCampaign } = await leadSteps(run);
		const expected = `404 "${NOT_FOUND}" for an unknown campaign, a validation error for the ID 0`;
		const message = isObject(unknownCampaign.body) ? unknownCampaign.body['message'] : undefined;
		const isNotFound = unknownCampaign.status === 404 && message === NOT_FOUND;
		const isNamed = errorFields(impossibleCampaign.body)?.includes('campaign_id') === true;
		if (isNotFound && isNamed) return asAssumed(expected);
		const words = safeMessage(message, [NOT_FOUND, NOT_SELECTED]);
		const seen = `${unknownCampaign.status} (${words}), ${impossibleCampaign.status}`;
		return differs(expected, seen, { advice: 'The nodes show what the service says.' });
	},
};

export const LEAD_CHECKS = [
	leadVariableKeys,
	leadDuplicates,
	leadDuplicateRefusal,
	leadUpdateCampaign,
];
