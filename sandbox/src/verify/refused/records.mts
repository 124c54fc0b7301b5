import { asAssumed, differs, notChecked } from '../check.mts';
import { IMPOSSIBLE_ID, IMPOSSIBLE_LEAD, IMPOSSIBLE_NUMBER, UNKNOWN_FIELD } from './impossible.mts';
import { inShort, otherRefusal, refusedOtherwise, refusal, refusedCheck } from './refusals.mts';

const LEAD = `/user/leads/${IMPOSSIBLE_ID}`;

const pathIds = refusedCheck(
	'path-ids',
	'status 404 for an ID that is no number',
	[refusal('PUT', '/user/leads/no-id', { phone_number: IMPOSSIBLE_NUMBER })],
	(expected, refused) =>
		refused.status === 404 ? asAssumed(expected) : refusedOtherwise(expected, refused),
);

const leadCreateErrors = refusedCheck(
	'lead-create-errors',
	'a validation error that names the number or the campaign',
	[refusal('POST', '/user/lead', IMPOSSIBLE_LEAD)],
	(expected, refused) => {
		const isNamed = refused.fields.some((field) => field in IMPOSSIBLE_LEAD);
		if (refused.isValidation && isNamed) return asAssumed(expected);
		return refusedOtherwise(
			expected,
			refused,
			'On Duplicate: Skip cannot tell a duplicate from other refusals.',
		);
	},
);

const leadVariablesList = refusedCheck(
	'lead-variables-list',
	'a list is refused as `variables`',
	[refusal('POST', '/user/lead', { ...IMPOSSIBLE_LEAD, variables: ['no-pair'] })],
	(expected, refused) =>
		refused.fields.some((field) => field.startsWith('variables'))
			? asAssumed(expected)
			: otherRefusal(expected, refused, 'The nodes send an object.'),
);

const leadUpdateStatuses = refusedCheck(
	'lead-update-statuses',
	'404 for an unknown lead, a validation error for a status and for unknown fields',
	[
		refusal('PUT', LEAD, { phone_number: IMPOSSIBLE_NUMBER }),
		refusal('PUT', LEAD, { status: 'no-such-status' }),
		refusal('PUT', LEAD, { status: 'no-such-status', [UNKNOWN_FIELD]: 1 }),
	],
	(expected, unknown, status, field) => {
		const isInvalid = field.status === 422 || field.status === 400;
		const names = field.message === `Invalid fields: ${UNKNOWN_FIELD}`;
		const isStatus = status.isValidation && status.fields.includes('status');
		if (unknown.status === 404 && isStatus && isInvalid && names) return asAssumed(expected);
		const seen = [unknown, status, field].map((each) => each.status).join(', ');
		return differs(expected, `status ${seen}${names ? '' : ', in other words'}`);
	},
);

const campaignErrors = refusedCheck(
	'campaign-errors',
	'a validation error that names the action',
	[
		refusal('POST', '/user/campaigns/update-status', {
			campaign_id: IMPOSSIBLE_ID,
			action: 'no-such-action',
		}),
	],
	(expected, refused) =>
		refused.isValidation && refused.fields.includes('action')
			? asAssumed(expected)
			: refusedOtherwise(expected, refused),
);

const IMPOSSIBLE_SMS = { from: IMPOSSIBLE_ID, to: IMPOSSIBLE_NUMBER };

const smsErrors = refusedCheck(
	'sms-errors',
	'status 400 with a message for a sender that does not exist, a validation error for a long text',
	[
		refusal('POST', '/user/sms', { ...IMPOSSIBLE_SMS, body: 'To be refused' }),
		refusal('POST', '/user/sms', { ...IMPOSSIBLE_SMS, body: 'x'.repeat(301) }),
	],
	(expected, sender, text) => {
		const isPlain = sender.status === 400 && sender.fields.length === 0;
		const isField = text.isValidation && text.fields.includes('body');
		if (isPlain && isField) return asAssumed(expected);
		const seen = [sender, text].map(inShort).join('; ');
		return differs(expected, seen, { advice: 'The nodes show what the service says.' });
	},
);

/** Numbers that are reserved for examples and films, as people write them. */
const WRITTEN: ReadonlyArray<[number: string, form: string]> = [
	['+44 7700 900123', 'with spaces'],
	['0044 7700 900123', 'with 00'],
	['+44 (7700) 900-123', 'with brackets and dashes'],
	['+44.7700.900.123', 'with dots'],
	['+44/7700/900123', 'with slashes'],
];
const NATIONAL: ReadonlyArray<[number: string, form: string]> = [
	['07700 900123', 'British'],
	['030 23125000', 'German'],
	['(415) 555-0100', 'American'],
];

const phoneNumberFormats = refusedCheck(
	'phone-number-formats',
	'every way of writing a number with country code, and none without',
	[
		refusal('POST', '/user/lead', {
			...IMPOSSIBLE_LEAD,
			secondary_contacts: [[IMPOSSIBLE_NUMBER], ...WRITTEN, ...NATIONAL].map(([number]) => ({
				phone_number: number,
			})),
		}),
	],
	(expected, { fields }) => {
		const isRefused = (index: number) =>
			fields.includes(`secondary_contacts.${index}.phone_number`);
		// A service that stops at its first error would seem to accept all others.
		if (!isRefused(0)) return notChecked(expected, 'The service does not name every number.');
		const refused = WRITTEN.filter((_, index) => isRefused(index + 1)).map(([, form]) => form);
		const accepted = NATIONAL.filter((_, index) => !isRefused(index + 1 + WRITTEN.length)).map(
			([, form]) => form,
		);
		if (refused.length === 0 && accepted.length === 0) return asAssumed(expected);
		const seen = [
			...(refused.length > 0 ? [`refused: ${refused.join(', ')}`] : []),
			...(accepted.length > 0 ? [`accepted without country code: ${accepted.join(', ')}`] : []),
		].join('; ');
		return differs(expected, seen, {
			advice:
				'Fill in Default Country Code of the credential, so that a number means the same whatever the service assumes.',
		});
	},
);

export const RECORD_CHECKS = [
	pathIds,
	leadCreateErrors,
	leadVariablesList,
	leadUpdateStatuses,
	phoneNumberFormats,
	campaignErrors,
	smsErrors,
];
