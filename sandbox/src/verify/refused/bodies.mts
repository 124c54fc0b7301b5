import { asAssumed, differs, notChecked, otherForm } from '../check.mts';
import { safeMessage } from '../describe.mts';
import {
	IMPOSSIBLE_ASSISTANT,
	IMPOSSIBLE_ID,
	IMPOSSIBLE_LEAD,
	UNKNOWN_FIELD,
} from './impossible.mts';
import { inShort, otherRefusal, refusedOtherwise, refusal, refusedCheck } from './refusals.mts';

const LEAD = '/user/lead';
const ASSISTANT = '/user/assistant';

/** Both required fields are missing. */
const emptyLead = refusal('POST', LEAD, {});

const contentType = refusedCheck(
	'content-type',
	'status 415 for a body that is not declared as JSON',
	[refusal('POST', LEAD, '{}', { contentType: 'text/plain' })],
	(expected, refused) =>
		refused.status === 415 && refused.message !== undefined
			? asAssumed(expected)
			: otherRefusal(expected, refused, 'The nodes always declare JSON.'),
);

const unreadableBody = refusedCheck(
	'unreadable-body',
	'status 400 for a body that is not JSON',
	[refusal('POST', LEAD, '{"phone_number":')],
	(expected, refused) =>
		refused.status === 400 && refused.message !== undefined
			? asAssumed(expected)
			: otherRefusal(expected, refused, 'The nodes always send JSON.'),
);

const unknownRequestFields = refusedCheck(
	'unknown-request-fields',
	'an unknown field is refused by its name',
	[refusal('POST', LEAD, { ...IMPOSSIBLE_LEAD, [UNKNOWN_FIELD]: 1 })],
	(expected, { fields, isValidation, ...refused }) => {
		if (fields.includes(UNKNOWN_FIELD)) return asAssumed(expected);
		if (!isValidation) return refusedOtherwise(expected, { fields, isValidation, ...refused });
		return differs(expected, 'it is ignored', {
			value: 'ignored',
			advice: 'A misspelt field of a Custom API Call is not noticed.',
		});
	},
);

const emptyStrings = refusedCheck(
	'empty-strings',
	'an empty text in a required field is refused on update',
	[refusal('PUT', `/user/tools/${IMPOSSIBLE_ID}`, { name: '', description: '' })],
	(expected, refused) => {
		if (refused.status === 404) return notChecked(expected, 'The record is looked up first.');
		const isRefused = ['name', 'description'].every((field) => refused.fields.includes(field));
		return isRefused ? asAssumed(expected) : refusedOtherwise(expected, refused);
	},
);

const strictTypes = refusedCheck(
	'strict-types',
	'the text "1" is no true or false',
	[refusal('POST', LEAD, { ...IMPOSSIBLE_LEAD, allow_dupplicate: '1' })],
	(expected, refused) => {
		if (refused.fields.includes('allow_dupplicate')) return asAssumed(expected);
		if (!refused.isValidation) return refusedOtherwise(expected, refused);
		return otherForm(expected, 'it is converted', {
			advice: 'The nodes send the right types.',
		});
	},
);

const validationMessage = refusedCheck(
	'validation-message',
	'"Validation failed", and "The given data was invalid." with `assistant_id` in the body',
	[
		emptyLead,
		refusal('POST', '/user/assistants/disable-webhook', {
			assistant_id: 'none',
			[UNKNOWN_FIELD]: 1,
		}),
	],
	(expected, lead, assistant) => {
		const known = ['Validation failed', 'The given data was invalid.'];
		const messages = [lead.message, assistant.message];
		if (messages.every((message, index) => message === known[index])) return asAssumed(expected);
		const seen = messages.map((message) => safeMessage(message, known)).join(', and ');
		return differs(expected, seen, { advice: 'The nodes show the message as it is.' });
	},
);

const fieldMessages = refusedCheck(
	'field-messages',
	'"The phone number field is required."',
	[emptyLead],
	(expected, refused) => {
		const errors = Object(Reflect.get(Object(refused.body), 'errors')) as {
			[field: string]: unknown;
		};
		const [message] = [errors['phone_number']].flat();
		const known = expected.slice(1, -1);
		if (message === known) return asAssumed(expected);
		return differs(expected, safeMessage(message, [known]), {
			advice: 'The nodes show the message as it is.',
		});
	},
);

const nestedErrorKeys = refusedCheck(
	'nested-error-keys',
	'`secondary_contacts.0.phone_number`',
	[refusal('POST', LEAD, { ...IMPOSSIBLE_LEAD, secondary_contacts: [{ variables: {} }] })],
	(expected, refused) =>
		refused.fields.includes(expected.replaceAll('`', ''))
			? asAssumed(expected)
			: refusedOtherwise(expected, refused, 'The nodes cannot say which entry of a list is wrong.'),
);

const endCallToolShape = refusedCheck(
	'end-call-tool-shape',
	'`end_call_tool` is an object with `description`',
	[refusal('POST', ASSISTANT, { end_call_tool: { description: 'x'.repeat(501) } })],
	(expected, refused) =>
		refused.fields.includes('end_call_tool.description')
			? asAssumed(expected)
			: refusedOtherwise(expected, refused, 'The setting End Call Tool may have no effect.'),
);

/** The services may know more than names of the form Area/City. */
const timezones = refusedCheck(
	'timezones',
	'`UTC` is refused, `europe/berlin` is not',
	[
		refusal('POST', ASSISTANT, { timezone: 'UTC' }),
		refusal('POST', ASSISTANT, { timezone: 'europe/berlin' }),
	],
	(expected, utc, berlin) => {
		if (!utc.isValidation || !berlin.isValidation) {
			return notChecked(expected, 'The service names no fields.');
		}
		const isRefused = [utc, berlin].map(({ fields }) => fields.includes('timezone'));
		if (isRefused[0] && !isRefused[1]) return asAssumed(expected);
		const word = (refused: boolean | undefined): string => (refused ? 'refused' : 'accepted');
		return differs(
			expected,
			`\`UTC\` is ${word(isRefused[0])}, \`europe/berlin\` is ${word(isRefused[1])}`,
		);
	},
);

const TOOL = '/user/tools';
/** It breaks the rule for names, and two other fields are missing. */
const impossibleTool = (endpoint: string) => ({ name: 'Not A Valid Name', endpoint });

const urlSchemes = refusedCheck(
	'url-schemes',
	'`ftp` is refused, `http` to any host is not',
	[
		refusal('POST', TOOL, impossibleTool('ftp://tool.example/')),
		refusal('POST', TOOL, impossibleTool('http://localhost/')),
	],
	(expected, ftp, http) => {
		if (!ftp.isValidation || !http.isValidation) {
			return notChecked(expected, 'The service names no fields.');
		}
		const isRefused = [ftp, http].map(({ fields }) => fields.includes('endpoint'));
		if (isRefused[0] && !isRefused[1]) return asAssumed(expected);
		const seen = isRefused[1] ? '`http://localhost` is refused' : '`ftp` is accepted';
		return differs(expected, seen, {
			...(isRefused[1] && {
				advice: 'The webhook address of n8n has to be one that the internet reaches.',
			}),
		});
	},
);

const references = refusal('POST', ASSISTANT, IMPOSSIBLE_ASSISTANT);

const unknownReferences = refusedCheck(
	'unknown-references',
	'an unknown voice, phone number or tool is refused by its field',
	[references],
	(expected, refused) => {
		const wanted = ['voice_id', 'phone_number_id', 'tool_ids.0'];
		const isComplete = wanted.every((field) => refused.fields.includes(field));
		return isComplete ? asAssumed(expected) : refusedOtherwise(expected, refused);
	},
);

const availableLanguages = refusedCheck(
	'available-languages',
	'an unknown language is refused',
	[references],
	(expected, refused) => {
		if (refused.fields.includes('language')) return asAssumed(expected);
		return refused.isValidation
			? differs(expected, 'it is not refused with the other fields', { certainty: 'likely' })
			: refusedOtherwise(expected, refused);
	},
);

const availableModels = refusedCheck(
	'available-models',
	'any name of a model is accepted',
	[references],
	(expected, refused) => {
		if (!refused.isValidation) return refusedOtherwise(expected, refused);
		return refused.fields.includes('llm_model')
			? differs(expected, 'an unknown name is refused', {
					advice: 'Ask the provider for the names.',
				})
			: asAssumed(expected, expected, 'likely');
	},
);

/** It has a wrong value, and a voice that does not exist. */
const order = refusal('POST', ASSISTANT, { ...IMPOSSIBLE_ASSISTANT, calls_direction: 'sideways' });
const unknownTool = refusal('PUT', `/user/tools/${IMPOSSIBLE_ID}`, { name: 'Not A Valid Name' });
const wrongToken = refusal('POST', LEAD, {}, { token: 'wrong' });

const checkOrder = refusedCheck(
	'check-order',
	'the token, then the values, then the record, then what the values refer to',
	[wrongToken, order, unknownTool],
	(expected, token, values, record) => {
		const others: string[] = [];
		if (token.isValidation) others.push('values before the token');
		if (values.fields.includes('voice_id')) others.push('values together with what they refer to');
		if (record.status === 404) others.push('the record before the values');
		if (others.length === 0 && values.fields.includes('calls_direction'))
			return asAssumed(expected);
		const seen = others.join(', ') || inShort(values);
		return otherForm(expected, seen, {
			advice: 'The nodes do not depend on it.',
		});
	},
);

export const BODY_CHECKS = [
	contentType,
	unreadableBody,
	unknownRequestFields,
	emptyStrings,
	strictTypes,
	checkOrder,
	validationMessage,
	fieldMessages,
	nestedErrorKeys,
	unknownReferences,
	availableLanguages,
	availableModels,
	endCallToolShape,
	timezones,
	urlSchemes,
];
