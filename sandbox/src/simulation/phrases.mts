import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import * as z from 'zod';

import { checkInput } from '../base/checkInput.mts';

const text = z.string().min(1);
const line = z.string().regex(/^(Assistant|Customer): \S/, 'A line begins with who says it.');
const lines = z.array(line).min(1);
const alternatives = <Item extends z.ZodTypeAny>(item: Item) => z.array(item).min(1);

const words = read(
	'words.yaml',
	z.object({ bool: z.record(text), string: z.record(text), topics: z.record(text) }).strict(),
);

/** An object with one entry for each list of words, and `other`. */
function entryForEach<Item extends z.ZodTypeAny>(kinds: object, item: Item) {
	const shape = Object.fromEntries([...Object.keys(kinds), 'other'].map((kind) => [kind, item]));
	return z.object(shape).strict().pipe(z.record(item));
}

const yesNoQuestion = z
	.object({ ask: alternatives(text), yes: alternatives(text), no: alternatives(text) })
	.strict();
const numberQuestion = z.object({ ask: alternatives(text), answer: alternatives(text) }).strict();
const textQuestion = numberQuestion.extend({ texts: alternatives(text).optional() }).strict();

const phrasesFormat = z
	.object({
		/** The names that assistants have for the language. */
		languages: alternatives(text),
		hello: lines,
		topics: entryForEach(words.topics, text),
		openings: z.object({ outbound: alternatives(lines), inbound: alternatives(lines) }).strict(),
		tool: lines,
		questions: z
			.object({
				bool: entryForEach(words.bool, yesNoQuestion),
				number: numberQuestion,
				string: entryForEach(words.string, textQuestion),
			})
			.strict(),
		no_answer: alternatives(text),
		remarks: alternatives(lines),
		closings: z
			.object({
				nobody: alternatives(lines),
				customer: alternatives(lines),
				assistant: alternatives(lines),
			})
			.strict(),
		hang_up: lines,
		transfer: alternatives(lines),
		mailbox: z.object({ announcement: lines, anonymous: lines, message: line }).strict(),
		summaries: z
			.object({
				conversation: text,
				'long-conversation': text,
				transfer: text,
				'hang-up': text,
				mailbox: text,
			})
			.strict(),
		first_names: alternatives(text),
		last_names: alternatives(text),
	})
	.strict();

/** What is said in one language. */
export type Phrases = z.output<typeof phrasesFormat>;

const ENGLISH = read('en.yaml', phrasesFormat);
const LANGUAGES = { en: ENGLISH, de: read('de.yaml', phrasesFormat) };

/** A language that the sandbox has transcripts in. */
export type Language = keyof typeof LANGUAGES;

/** The language of an assistant's calls: that of its settings, or English when there are no words in it. */
function languageOf({ language }: { language: string }): Language {
	const wanted = language.toLowerCase();
	const isNamed = ({ languages }: Phrases): boolean =>
		languages.some((name) => name.toLowerCase() === wanted);
	return isNamed(LANGUAGES.de) ? 'de' : 'en';
}

/** What is said in the calls of an assistant. */
export const phrasesFor = (settings: { language: string }): Phrases =>
	LANGUAGES[languageOf(settings)];

const patterns = Object.fromEntries(
	Object.entries(words).map(([group, kinds]) => [
		group,
		Object.entries(kinds).map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, 'iu') })),
	]),
);

/** What a text is about: the first kind of the group whose words it has, or `other`. */
export function kindOf(group: keyof typeof words, about: string): string {
	const plain = about.replaceAll('_', ' ');
	return patterns[group]?.find(({ pattern }) => pattern.test(plain))?.kind ?? 'other';
}

/** @throws {InvalidInput} with every entry of the file that does not fit */
function read<Format extends z.ZodTypeAny>(name: string, format: Format): z.output<Format> {
	const file = readFileSync(new URL(`transcripts/${name}`, import.meta.url), 'utf8');
	return checkInput(format, parse(file), `sandbox/src/simulation/transcripts/${name} is invalid`);
}
