import { asAssumed, differs, notChecked, otherForm, readCheck } from '../check.mts';
import { requireNoFailure } from '../requireNoFailure.mts';
import type { Run } from '../run.mts';
import { errorFields, safeName, typeName } from '../describe.mts';
import { callList, CALLS_PATH } from './lists.mts';
import { isRefused, readPage, requirePage } from './page.mts';

const LARGEST = 100;

const pageEnvelope = readCheck(
	'page-envelope',
	'the fields of the page beside `data`',
	async (run, expected) => {
		const { envelope } = (await callList(run)).page;
		if (envelope === 'flat') return asAssumed(expected);
		if (envelope === 'bare') return differs(expected, 'a list without any envelope');
		return otherForm(expected, '`meta` and `links` beside `data`', {
			value: 'meta',
			advice: 'The nodes read both forms.',
		});
	},
);

/** How many records a page has when `size` are asked for; undefined when the size is refused. */
async function sizeOfPage({ client }: Run, size: number): Promise<number | undefined> {
	const response = await client.get(CALLS_PATH, { per_page: size });
	if (isRefused(response)) return undefined;
	const { fields, rows } = requirePage(response, 'calls');
	if (typeof fields['per_page'] === 'number') return fields['per_page'];
	// Without the number, a page that is followed by another one shows it.
	return fields['next_page_url'] == null ? size : rows.length;
}

/** The largest size that is not refused; there is one above which all are. */
async function largestSize(run: Run): Promise<number> {
	let [accepted, refused] = [1, LARGEST];
	while (refused - accepted > 1) {
		const size = Math.floor((accepted + refused) / 2);
		if ((await sizeOfPage(run, size)) === undefined) refused = size;
		else accepted = size;
	}
	return accepted;
}

const largestPage = readCheck(
	'largest-page',
	`${LARGEST} records, more are refused`,
	async (run, expected) => {
		const size = await sizeOfPage(run, LARGEST);
		const advice =
			'The nodes ask for 100 records and go on with what comes: they read smaller pages.';
		if (size === undefined) {
			const largest = await largestSize(run);
			const value = { size: largest, above: 'refused' };
			const refusal = await run.client.get(CALLS_PATH, { per_page: LARGEST });
			const isNamed = errorFields(refusal.body)?.includes('per_page') === true;
			const seen = `${largest} records, more are refused`;
			if (isNamed) {
				const advice = 'The nodes ask for 100 records, and then for fewer.';
				return otherForm(expected, seen, { value, advice });
			}
			return differs(expected, seen, {
				value,
				advice:
					'The nodes ask for 100 records. A list that refuses them without `errors.per_page` cannot be read.',
			});
		}
		if (size < LARGEST) {
			const value = { size, above: 'capped' };
			return otherForm(expected, `${size} records, also when more are asked for`, {
				value,
				advice,
			});
		}
		const larger = await sizeOfPage(run, LARGEST + 1);
		if (larger === undefined) return asAssumed(expected);
		const seen =
			larger > LARGEST ? 'larger pages too' : `${larger} records, also when more are asked for`;
		const value = larger > LARGEST ? undefined : { size: larger, above: 'capped' };
		return otherForm(expected, seen, { value, advice: 'The nodes ask for 100 records.' });
	},
);

/** A page that no account has, when the list does not say which one is its last. */
const FAR_PAGE = 1_000_000;

const pageBeyondTheLast = readCheck(
	'page-beyond-the-last',
	'an empty page',
	async (run, expected) => {
		const response = await beyondTheLast(run);
		requireNoFailure(response);
		const page = readPage(response);
		if (page && page.rows.length === 0) return asAssumed(expected);
		if (page) return differs(expected, 'a page with records');
		if (response.status !== 404) return differs(expected, `status ${response.status}`);
		return otherForm(expected, 'status 404', {
			value: 'not-found',
			advice: 'The nodes stop at the last page.',
		});
	},
);

async function beyondTheLast(run: Run) {
	const { page, size } = await callList(run);
	const { last_page: last } = page.fields;
	const behind = typeof last === 'number' ? last + 1 : FAR_PAGE;
	return run.client.get(CALLS_PATH, { per_page: size, page: behind });
}

/** A day on which no account had a call. */
const NO_CALLS = { date_from: '1970-01-01', date_to: '1970-01-01' };

const emptyPage = readCheck(
	'empty-page',
	'`from` and `to` 0, `last_page` 1',
	async ({ client }, expected) => {
		const { fields, rows } = requirePage(await client.get(CALLS_PATH, NO_CALLS), 'calls');
		if (rows.length > 0) return notChecked(expected, 'The filter by date is ignored.');
		const wanted = { from: 0, to: 0, last_page: 1 };
		const others = Object.entries(wanted).filter(
			([name, value]) => name in fields && fields[name] !== value,
		);
		if (!Object.keys(wanted).some((name) => name in fields)) {
			return notChecked(expected, 'The list does not have these fields.');
		}
		if (others.length === 0) return asAssumed(expected);
		const seen = others.map(([name]) => `\`${name}\` ${shortValue(fields[name])}`).join(', ');
		return otherForm(expected, seen, {
			advice: 'The nodes do not use them.',
		});
	},
);

const shortValue = (value: unknown): string =>
	typeof value === 'number' && value < 10 ? String(value) : typeName(value);

const pagingLinks = readCheck(
	'paging-links',
	'absolute URLs with the query of the request and another page',
	async ({ client }, expected) => {
		const { fields } = requirePage(await client.get(CALLS_PATH, { per_page: 1 }), 'calls');
		const next = fields['next_page_url'];
		if (typeof next !== 'string') {
			return notChecked(expected, 'The list has no link to a second page.');
		}
		if (!URL.canParse(next)) return differs(expected, 'a link that is no absolute URL');
		const { searchParams } = new URL(next);
		if (searchParams.get('page') !== '2') return differs(expected, 'a link without `page=2`');
		if (searchParams.get('per_page') === '1') return asAssumed(expected);
		const names = [...searchParams.keys()].map(safeName).join(', ');
		return otherForm(expected, `a link with ${names} alone`, {
			advice: 'The nodes count the pages themselves.',
		});
	},
);

export const PAGING_CHECKS = [pageEnvelope, largestPage, pageBeyondTheLast, emptyPage, pagingLinks];
