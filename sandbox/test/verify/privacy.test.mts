import { expect, it } from '@jest/globals';
import { LEVELS } from '../../src/verify/check.mts';
import { jsonReport } from '../../src/verify/report/json.mts';
import { junitReport } from '../../src/verify/report/junit.mts';
import { markdownReport } from '../../src/verify/report/markdown.mts';
import { providerFile } from '../../src/verify/report/providerFile.mts';
import type { Report } from '../../src/verify/report/report.mts';
import { findingLine, summary } from '../../src/verify/report/terminal.mts';
import type { Result } from '../../src/verify/verify.mts';
import { newAssistant, newTool } from '../support/seed.mts';
import { startProvider, verifyAt } from './support/measure.mts';

/** Everything that somebody can see of a run. */
function everythingPrinted(result: Result): string {
	const report: Report = {
		provider: 'provider.example',
		at: '2026-03-02T09:00:00.000Z',
		version: '1.0.0',
		levels: LEVELS,
		...result,
	};
	return [
		...result.findings.map((finding) => findingLine(finding, 0)),
		...[summary, jsonReport, junitReport, markdownReport, providerFile].map((write) =>
			write(report),
		),
	].join('\n');
}

/** Begins a word that no report has by chance. It looks like the name of a field. */
const SECRET = 'qvxz';
const DIGITS = '4915198706';
/** Texts that hold it, with what a report must escape. */
const text = (what: string) => `${SECRET}_${what} 👋🏽 "|<&\n\`é`;
const openObject = (what: string) => ({ [text(what)]: text(what), [SECRET]: text(what) });

/** An account that holds such texts wherever it can hold one. */
const seed = {
	users: [
		{
			token: `${SECRET}-token`,
			phone_numbers: [{ id: 1, phone_number: `+${DIGITS}01` }],
			tools: [
				{
					...newTool,
					id: 1,
					description: text('tool'),
					headers: [{ name: 'X-Key', value: `${SECRET}-header` }],
				},
			],
			assistants: [
				{
					...newAssistant,
					id: 1,
					assistant_name: text('name'),
					system_prompt: text('prompt'),
					initial_message: text('greeting'),
					llm_model: text('model'),
					variables: openObject('variable'),
					phone_number_id: 1,
					tool_ids: [1],
				},
			],
			campaigns: [{ id: 1, name: text('campaign'), assistant_id: 1 }],
			calls: ['PT1M', 'PT30M'].map((ago) => ({
				assistant_id: 1,
				campaign_id: 1,
				client_phone_number: `+${DIGITS}02`,
				transcript: `Assistant: ${text('said')}\nCustomer: ${text('said')}`,
				variables: openObject('variable'),
				evaluation: openObject('score'),
				webhook_response: openObject('answer'),
				ago,
			})),
		},
	],
};

it('no report has a token, a number, a name or a text of the account', async () => {
	await using provider = await startProvider({ seed });
	const result = await verifyAt(provider.url, { token: `${SECRET}-token` });
	const printed = everythingPrinted(result);
	expect(printed).not.toContain(SECRET);
	expect(printed).not.toContain(DIGITS);
	expect(result.findings.length).toBeGreaterThan(50);
});

it('not even of a service that has texts where names, statuses and messages belong', async () => {
	const secret = 'Jane Moreno, +4915112345611';
	const own = { [secret]: secret, id: secret, status: secret, type: secret, created_at: secret };
	const list = { data: [own, own], per_page: secret, next_page_url: secret, [secret]: secret };
	const error = { message: secret, errors: { [secret]: [secret], phone_number: [secret] } };
	const headers = {
		'X-RateLimit-Reset': secret,
		Location: `http://127.0.0.1/${encodeURI(secret)}`,
	};
	for (const [operation, status, body] of [
		['listCalls', 200, list],
		['listAssistants', 200, list],
		['createLead', 422, error],
		['createAssistant', 409, error],
		['listCalls', 302, error],
		['listCalls', 500, error],
	] as const) {
		await using provider = await startProvider();
		await provider.control.fault({ operation, status, body, headers });
		const result = await verifyAt(provider.url);
		const printed = everythingPrinted(result);
		const parts = ['Jane', 'Moreno', '15112345611'].filter((part) => printed.includes(part));
		expect({ operation, status, parts }).toEqual({ operation, status, parts: [] });
	}
});
