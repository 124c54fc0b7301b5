import { expect, it } from '@jest/globals';
import fc from 'fast-check';
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

/** Texts that no report has by chance: a word of random letters, with anything around it. */
const secretText = fc
	.tuple(
		fc.string({
			unit: fc.constantFrom(...'bcdfghjkmnpqrstvwxz'.split('')),
			minLength: 9,
			maxLength: 9,
		}),
		fc.string({ unit: 'grapheme', maxLength: 5 }),
	)
	.map(([word, around]) => ({ word, text: `${word} ${around}` }));

const secretNumber = fc
	.integer({ min: 1_000_000, max: 9_999_999 })
	.map((digits) => `+49151${digits}`);

const secrets = fc.record({
	token: fc.string({
		unit: fc.constantFrom(...'abcdef0123456789'.split('')),
		minLength: 20,
		maxLength: 20,
	}),
	texts: fc.array(secretText, { minLength: 12, maxLength: 12 }),
	numbers: fc.uniqueArray(secretNumber, { minLength: 2, maxLength: 2 }),
});

interface Secrets {
	token: string;
	texts: Array<{ text: string; word: string }>;
	numbers: string[];
}

/** An account that holds the texts wherever it can hold one. */
function seedOf({ token, texts, numbers }: Secrets) {
	const [
		name,
		prompt,
		greeting,
		variable,
		campaign,
		tool,
		header,
		field,
		said,
		score,
		answer,
		model,
	] = texts.map(({ text }) => text);
	// A key that looks like the name of a field.
	const key = texts.at(-1)?.word ?? '';
	return {
		users: [
			{
				token,
				phone_numbers: [{ id: 1, phone_number: numbers[0] }],
				tools: [
					{
						...newTool,
						id: 1,
						description: tool,
						headers: [{ name: 'X-Key', value: header }],
					},
				],
				assistants: [
					{
						...newAssistant,
						id: 1,
						assistant_name: name,
						system_prompt: prompt,
						initial_message: greeting,
						llm_model: model,
						variables: { [field ?? '']: variable, [key]: variable },
						phone_number_id: 1,
						tool_ids: [1],
					},
				],
				campaigns: [{ id: 1, name: campaign, assistant_id: 1 }],
				calls: ['PT1M', 'PT30M'].map((ago) => ({
					assistant_id: 1,
					campaign_id: 1,
					client_phone_number: numbers[1],
					transcript: `Assistant: ${said}\nCustomer: ${said}`,
					variables: { [field ?? '']: variable, [key]: variable },
					evaluation: { [score ?? '']: score, [key]: score },
					webhook_response: { [answer ?? '']: answer, [key]: answer },
					ago,
				})),
			},
		],
	};
}

const RUNS = 4;

it('no report has a token, a number, a name or a text of the account', async () => {
	await fc.assert(
		fc.asyncProperty(secrets, async (secret) => {
			await using provider = await startProvider({ seed: seedOf(secret) });
			const result = await verifyAt(provider.url, { token: secret.token });
			const printed = everythingPrinted(result);
			const words = [secret.token, ...secret.numbers, ...secret.texts.map(({ word }) => word)];
			expect(words.filter((word) => printed.includes(word))).toEqual([]);
			expect(result.findings.length).toBeGreaterThan(50);
		}),
		{ numRuns: RUNS },
	);
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
