import { CREDENTIAL } from '../../shared/client/credential';
import { InvalidInput } from '../../shared/client/errors';
import { asText } from '../../shared/client/json';
import type { TextRule } from '../../shared/fields/textRule';
import type { SendContext } from './routing';
import { isEmpty } from './toWireTypes';

/** A country code of one to three digits, also with + or 00 in front. */
const COUNTRY_CODE: TextRule = {
	pattern: '^(?:\\+|00)?[1-9][0-9]{0,2}$',
	problem: 'must be a country code, such as 49',
};

/** A code in digits. @param name of the field that has it */
function digitsOf(value: unknown, name: string): string {
	const text = asText(value).trim();
	if (new RegExp(COUNTRY_CODE.pattern ?? '').test(text)) return text.replace(/^(\+|00)/, '');
	throw new InvalidInput({
		message: `${name} ${COUNTRY_CODE.problem}`,
		nextStep: `The value is: ${text}. Nothing was sent for this item.`,
	});
}

/**
 * The country code of phone numbers that have none, in digits; empty when the user set none. The node's
 * option counts before the credential's field. Each item can have another one.
 *
 * @throws {InvalidInput} when the code is none
 */
export async function defaultCountryCode(context: SendContext): Promise<string> {
	const option = context.getNodeParameter('requestOptions.defaultCountryCode', '');
	if (!isEmpty(option)) return digitsOf(option, "'Default Country Code'");
	const { defaultCountryCode: code } = await context.getCredentials(CREDENTIAL);
	return isEmpty(code) ? '' : digitsOf(code, 'The Default Country Code of the credential');
}
