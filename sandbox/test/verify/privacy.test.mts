import { expect, it } from '@jest/globals';

import { findingLines, summary } from '../../src/cli/verify/verifyCommand.mts';
import type { Result } from '../../src/verify/verify.mts';
import { startProvider, verifyAt, verifyWith } from './support/measure.mts';
import { sampled } from '../../../test/support/sample.mts';

/** Everything that somebody can see of a run. */
const printed = (result: Result): string =>
	[...result.findings.map(findingLines), summary(result)].join('\n');

/** It looks like the name of a field. */
const SECRET = 'qvxz_jane_moreno';
const own = { [SECRET]: SECRET, [`${SECRET} 👋🏽 "|<&\n`]: { [SECRET]: [SECRET] } };

/** Each value of a record is a secret, or of another type with one inside. */
const replaced = (record: object, value: unknown) =>
	Object.fromEntries(Object.keys(record).map((name) => [name, value]));

it.each(sampled([SECRET, [SECRET], own, [own]], 2))(
	'a service with secrets in all places and of all types (%j)',
	async (value) => {
		const page = ({ data }: { data: object[] }) => ({
			...own,
			data: data.map((record) => ({ ...replaced(record, value), ...own })),
			per_page: value,
		});
		const result = await verifyWith({
			'/user/calls': page,
			'/user/assistants/get': page,
			'/user/campaigns': () => value,
			'/user/lead': () => ({ message: value, errors: { [SECRET]: value, phone_number: value } }),
			'/user/assistant': () => ({ message: value, errors: value }),
		});
		const text = printed(result);
		expect(text).toContain('do not fit the contract');
		expect(text).not.toContain('qvxz');
	},
);

const ANSWERS = [
	['listCalls', 302],
	['listAssistants', 302],
	['listCalls', 500],
	['createLead', 409],
	['createLead', 200],
] as const;
it.each(sampled(ANSWERS, 2))('%s with status %i', async (operation, status) => {
	await using provider = await startProvider();
	const headers = { Location: `http://127.0.0.1/${SECRET}`, 'X-RateLimit-Reset': SECRET };
	const body = { message: SECRET, data: { id: SECRET }, errors: own };
	await provider.control.fault({ operation, status, body, headers });
	const text = printed(await verifyAt(provider.url));
	expect(text).toContain('requests were sent.');
	expect(text).not.toContain('qvxz');
});
