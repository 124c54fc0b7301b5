import { hasPossibleNumber } from '../../shared/fields/phoneNumbers';
import { getLabel } from '../fields/fieldLabels';
import {
	phoneNumberProblem,
	type PhoneNumberProblem,
	type PhoneNumberProblems,
} from '../fields/phoneNumberProblem';
import type { SendContext } from '../fields/routing';
import { defaultCountryCode, type SentPhoneNumbers } from '../fields/sendPhoneNumber';
import type { ItemDetails } from './itemErrorTexts';

/** Finds the problems of a request. The country code is read only if a number is not certainly right. */
export async function findPhoneNumberProblems(
	numbers: SentPhoneNumbers,
	context: SendContext,
): Promise<PhoneNumberProblems> {
	const unsure = Object.entries(numbers).filter(([, number]) => !hasPossibleNumber(number));
	if (unsure.length === 0) return {};
	const code = await defaultCountryCode(context);
	return Object.fromEntries(
		unsure.flatMap(([path, number]): Array<[string, PhoneNumberProblem]> => {
			const found = phoneNumberProblem(number, code);
			return found ? [[path, found]] : [];
		}),
	);
}

/** The problems of an item under the names that the user sees: *'Phone Number' has no country code*. */
export const namedProblems = ({ fields, numberProblems = {} }: ItemDetails): string[] =>
	Object.entries(numberProblems).map(
		([path, { problem }]) => `'${getLabel(fields, path)}' ${problem}`,
	);

/** Why the service will probably refuse an item, and what to do. */
export function refusalReason(details: ItemDetails): string | undefined {
	const steps = Object.values(details.numberProblems ?? {}).map(({ nextStep }) => nextStep);
	const parts = namedProblems(details).map((text, index) => `${text}. ${steps[index]}`);
	return parts.length > 0 ? parts.join(' ') : undefined;
}
