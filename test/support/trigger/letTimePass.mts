import { jest } from '@jest/globals';

/** Longer than the nodes remember what a publish did. */
const LATER_MS = 61_000;

/**
 * Lets a minute pass for code that reads the time, so that the next hook belongs to another publish. The
 * clock is right again after the test file.
 */
export function letTimePass(): void {
	const later = Date.now() + LATER_MS;
	const startedAt = performance.now();
	const passedMs = () => Math.floor(performance.now() - startedAt);
	jest.spyOn(Date, 'now').mockImplementation(() => later + passedMs());
}
