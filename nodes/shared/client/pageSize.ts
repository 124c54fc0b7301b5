import type { IDataObject } from 'n8n-workflow';

import { isValidationError } from './errors';
import type { ReadEnvelope } from './pages';

/** What services usually allow, for a refusal that names no number. */
const USUAL_SIZES = [50, 25, 10];

/** A refusal need not have its fields in `errors`. */
const NAMES_SIZE = /\bper[ _]?page\b/i;

/** The page size to try next; undefined when the service did not refuse the size. */
function smallerSize(error: unknown, size: number): number | undefined {
	if (!isValidationError(error)) return undefined;
	const said = NAMES_SIZE.test(error.message) ? [error.message] : undefined;
	const texts = error.errors.per_page ?? said;
	if (!texts) return undefined;
	const named = [...texts.join(' ').matchAll(/\d+/g)].map(Number).filter((each) => each < size);
	return Math.max(0, ...named) || USUAL_SIZES.find((each) => each < size);
}

/**
 * Makes a function that reads a page of a list. Where the service refuses so many records in a page, it asks
 * for fewer (assumed: largest-page). The first page finds out how many, so all pages have the same size.
 *
 * @param perPage how many records to ask for at first
 * @param readEnvelope gets the envelope of a page; pages count from 1
 * @returns a function that gives the envelope with `per_page`, and throws what `readEnvelope` throws
 */
export function readInPages(
	perPage: number,
	readEnvelope: (page: number, perPage: number) => Promise<IDataObject>,
): ReadEnvelope {
	let size = perPage;
	const read: ReadEnvelope = async (page) =>
		await readEnvelope(page, size).then(
			(envelope) => ({ per_page: size, ...envelope }),
			async (error: unknown) => {
				const smaller = smallerSize(error, size);
				if (smaller === undefined) throw error;
				size = smaller;
				return await read(page);
			},
		);
	return read;
}
