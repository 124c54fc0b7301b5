import { internationalNumber } from '../fields/phoneNumbers';

/** `anonymous` on the keys of a telephone: services put it in place of a number that is not shown. */
const ANONYMOUS_ON_KEYS = /^\+?266696687$/;

/** A possible telephone has at least seven digits (E.164). */
const TELEPHONE = /^\+?\d{7,15}$/;

/** Whether a text stands for a number that is not shown, such as `anonymous`, `0` or `sip:anonymous@10.0.0.1`. */
export const isHidden = (phone: string): boolean =>
	!/[1-9]/.test(phone) || /anonymous/i.test(phone) || ANONYMOUS_ON_KEYS.test(phone);

/** Whether a number tells who calls. All people who hide theirs share a text, so it names nobody. */
export const tellsPerson = (phone: string): boolean =>
	!isHidden(phone) && TELEPHONE.test(internationalNumber(phone, ''));

/** A number with + and its country code; null where it is hidden or cannot be read. */
export function e164(phone: string): string | null {
	const number = internationalNumber(phone, '');
	return tellsPerson(phone) && number.startsWith('+') ? number : null;
}
