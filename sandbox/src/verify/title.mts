import { stripVTControlCharacters } from 'node:util';

import type { Row } from './read/page.mts';

/** A record for the terminal: what it is, its ID, and its name if it has one. No report has it. */
export function title(kind: string, { id, name }: Row): string {
	const shown = typeof name === 'string' ? stripVTControlCharacters(name).slice(0, 60) : '';
	return shown === '' ? `${kind} ${String(id)}` : `${kind} ${String(id)} ("${shown}")`;
}
