import { invalidField } from '../../../shared/client/errors';
import { checkField } from '../../fields/checkFields';
import { defaultCountryCode, withInternationalNumber } from '../../fields/sendPhoneNumber';
import type { Field, PreSend } from '../../fields/routing';
import { converted, parsedJson } from '../../fields/toWireTypes';

/**
 * Adds the filters of *Filters (JSON)* to the other filters, after the same checks.
 *
 * @param filters the fields of *Filters*
 * @throws {InvalidInput} that names the wrong filter
 */
export const addFilters = (filters: Field[]): PreSend =>
	async function (request) {
		const { json, ...qs } = request.qs ?? {};
		const entered = parsedJson(json);
		for (const [name, value] of Object.entries(entered)) {
			const label = `Filters (JSON) → ${name}`;
			const filter = filters.find(({ routing }) => routing?.send.property === name);
			if (filter) checkField(filter, value, label);
			else {
				const names = filters.map(({ routing }) => routing?.send.property).join(', ');
				throw invalidField(
					label,
					'is not a filter',
					`Use one of these: ${names}. Nothing was sent for this item.`,
				);
			}
		}
		const code = await defaultCountryCode(this);
		const added = withInternationalNumber(converted(entered), 'phone_number', code);
		return { ...request, qs: { ...qs, ...added } };
	};
