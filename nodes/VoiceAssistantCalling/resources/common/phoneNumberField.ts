import { PHONE_NUMBER } from '../../../shared/fields/textRule';
import type { Field } from '../../fields/routing';

/** A phone number as people have it. Each operation adds where it goes (`sendPhoneNumber`). */
export const phoneNumberField: Field = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. +4915112345678',
	hint: 'Spaces, dashes, brackets and 00 are accepted',
	description:
		"With the country code. A number without it needs 'Default Country Code', under Settings → Request Options or in the credential.",
	rule: PHONE_NUMBER,
};
