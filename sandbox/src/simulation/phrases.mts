import * as z from 'zod';

import { TRANSCRIPT_KINDS } from '../domain/call/scenarioFormat.mts';
import { readSimulationFile } from './readSimulationFile.mts';

const text = z.string().min(1);
const line = z.string().regex(/^(Assistant|Customer): \S/, 'A line begins with who says it.');
const lines = z.array(line).min(1);
const alternatives = <Item extends z.ZodTypeAny>(item: Item) => z.array(item).min(1);

const words = readSimulationFile(
	'transcripts/words.yaml',
	z.object({ bool: z.record(text), string: z.record(text), topics: z.record(text) }).strict(),
);

/** An object with an entry for each of the names. */
function entryForEach<Item extends z.ZodTypeAny>(names: string[], item: Item) {
	const shape = Object.fromEntries(names.map((name) => [name, item]));
	return z.object(shape).strict().pipe(z.record(item));
}

/** The kinds of a group of words. */
const kindNames = (group: object): string[] => [...Object.keys(group), 'other'];

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
		topics: entryForEach(kindNames(words.topics), text),
		openings: z.object({ outbound: alternatives(lines), inbound: alternatives(lines) }).strict(),
		tool: lines,
		questions: z
			.object({
				bool: entryForEach(kindNames(words.bool), yesNoQuestion),
				number: numberQuestion,
				string: entryForEach(kindNames(words.string), textQuestion),
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
		summaries: entryForEach(Object.keys(TRANSCRIPT_KINDS), text),
		first_names: alternatives(text),
		last_names: alternatives(text),
	})
	.strict();

export type Phrases = z.output<typeof phrasesFormat>;

const ENGLISH = readSimulationFile('transcripts/en.yaml', phrasesFormat);
const GERMAN = readSimulationFile('transcripts/de.yaml', phrasesFormat);

/** What is said in the calls of an assistant: in English where its language has no words of its own. */
export function phrasesFor({ language }: { language: string }): Phrases {
	const wanted = language.toLowerCase();
	return GERMAN.languages.some((name) => name.toLowerCase() === wanted) ? GERMAN : ENGLISH;
}

const patterns = Object.fromEntries(
	Object.entries(words).map(([group, kinds]) => [
		group,
		Object.entries(kinds).map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, 'iu') })),
	]),
);

/** What a text is about: the first kind of the group whose words it has, or `other`. */
export function findKind(group: keyof typeof words, about: string): string {
	const plain = about.replaceAll('_', ' ');
	return patterns[group]?.find(({ pattern }) => pattern.test(plain))?.kind ?? 'other';
}

/** A text without line breaks, which would look like the next line of a transcript. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
