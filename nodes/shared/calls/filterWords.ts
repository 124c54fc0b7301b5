import type { INodeProperties } from 'n8n-workflow';

import { serviceText } from '../values/serviceText';
import { normaliseWord } from './normaliseWord';

/**
 * Tells whether a word of a call is one of those that a user chose in a filter, however the service writes
 * it. None chosen means any. A call that lacks the word passes, because no call must be lost for that.
 */
export function isChosenWord(word: unknown, chosen: unknown[]): boolean {
	const written = normaliseWord(word);
	if (chosen.length === 0 || written === '') return true;
	return chosen.some((each) => normaliseWord(each) === written);
}

/** The words for which filters left out calls although no user can choose them, because the contract lacks them. */
export class UnknownWords {
	private readonly words = new Map<string, Set<string>>();

	/** Takes the word of a call that a filter left out. */
	add({ displayName, options = [] }: INodeProperties, word: unknown): void {
		const offered = options.flatMap((option) => ('value' in option ? [option.value] : []));
		if (isChosenWord(word, offered)) return;
		const words = this.words.get(displayName) ?? new Set();
		this.words.set(displayName, words.add(String(word)));
	}

	/** What n8n's log says; undefined when the user can choose all words. */
	get warning(): string | undefined {
		const warnings = [...this.words].map(
			([label, words]) =>
				`The filter '${label}' left out calls with a value that it does not offer: ${serviceText([...words].join(', '))}. To get such calls, leave the filter empty, and compare the value in the workflow.`,
		);
		return warnings.length === 0 ? undefined : warnings.join(' ');
	}
}
