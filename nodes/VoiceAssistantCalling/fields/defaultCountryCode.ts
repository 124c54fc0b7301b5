import { CREDENTIAL } from '../../shared/client/credential';
import { InvalidInput } from '../../shared/client/errors';
import { asText, isRecord } from '../../shared/client/json';
import type { TextRule } from '../../shared/fields/textRule';
import type { SendContext } from './routing';

/** A country code of one to three digits, also with + or 00 in front. */
export const COUNTRY_CODE: TextRule = {
	pattern: '^(?:\\+|00)?[1-9][0-9]{0,2}$',
	problem: 'must be a country code, such as 49',
};

/** The credential's code. The option of the node is checked as all fields are. */
function checkedCode(value: unknown): string {
	const text = asText(value).trim();
	if (text === '' || new RegExp(COUNTRY_CODE.pattern ?? '').test(text)) return text;
	throw new InvalidInput({
		message: `The Default Country Code of the credential ${COUNTRY_CODE.problem}`,
		nextStep: 'Change it in the credential. Nothing was sent for this item.',
	});
}

/**
 * The country code of phone numbers that have none, in digits; empty when the user set none. The node's
 * option counts before the credential's field.
 *
 * @throws {InvalidInput} when the field of the credential is no country code
 */
export async function defaultCountryCode(context: SendContext): Promise<string> {
	const options: unknown = context.getNodeParameter('requestOptions', {});
	const option = isRecord(options) ? asText(options.defaultCountryCode).trim() : '';
	if (option !== '') return option.replace(/^(\+|00)/, '');
	const { defaultCountryCode: code } = await context.getCredentials(CREDENTIAL);
	return checkedCode(code).replace(/^(\+|00)/, '');
}
