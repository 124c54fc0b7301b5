import { styleText } from 'node:util';

import { plainTime } from '../domain/times.mts';
import { EVENT_KINDS, type TimelineEvent } from '../store/eventTable.mts';

const COLOURS = { info: 'cyan', warning: 'yellow', error: 'red' } as const;

const KIND_WIDTH = Math.max(...EVENT_KINDS.map((kind) => kind.length));

/**
 * An event as one line of a terminal: local time, kind, text. It has colours where stdout shows them.
 * Names can contain line breaks and commands for the terminal, which become spaces.
 */
export function eventLine({ at, kind, level, text }: TimelineEvent): string {
	const colour = (style: Parameters<typeof styleText>[0], part: string) =>
		styleText(style, part, { stream: process.stdout });
	return [
		colour('dim', plainTime(at, 'local')),
		colour(COLOURS[level], kind.padEnd(KIND_WIDTH)),
		text.replaceAll(/\p{Cc}+/gu, ' '),
	].join('  ');
}
