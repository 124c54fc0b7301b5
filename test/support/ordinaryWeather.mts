import type { SandboxOptions } from '../../sandbox/test/support/service.mts';

/** What the suites in a real n8n choose of the sandbox. */
type Weather = Required<Pick<SandboxOptions, 'weather'>> & {
	assume: NonNullable<SandboxOptions['assume']>;
};

/**
 * A service that is as slow and limited as an ordinary one, in times that are ten times as short.
 */
export const ORDINARY_WEATHER: Weather = {
	weather: { scale: 0.1 },
	assume: { 'rate-limit': { requests: 10, per: 'PT0.1S' } },
};
