import type { RequestRule } from './requestFaults.mts';

/** Rules that belong together, under a name. */
interface FaultPreset {
	name: string;
	title: string;
	description: string;
	rules: RequestRule[];
}

const ERROR_PAGE = `<!doctype html>
<html>
	<head><title>502 Bad Gateway</title></head>
	<body><h1>502 Bad Gateway</h1><hr>nginx</body>
</html>
`;

const TOO_MANY = { message: 'Too Many Attempts.', retry_after: 1 };

/** More than anybody sends: the rule applies until its time is over, or until it is removed. */
const NO_LIMIT = 1_000_000;

export const FAULT_PRESETS: FaultPreset[] = [
	{
		name: 'rate-limit',
		title: 'Rate limit',
		description: 'The next five requests get status 429, and are asked to wait for a second.',
		rules: [{ status: 429, body: TOO_MANY, headers: { 'retry-after': '1' }, times: 5 }],
	},
	{
		name: 'server-error',
		title: 'Server error',
		description: 'The next five requests get status 500.',
		rules: [{ status: 500, times: 5 }],
	},
	{
		name: 'unavailable',
		title: 'Unavailable',
		description: 'The next five requests get status 503, and are asked to wait for two seconds.',
		rules: [{ status: 503, headers: { 'retry-after': '2' }, times: 5 }],
	},
	{
		name: 'flaky',
		title: 'Flaky',
		description:
			'One request in four goes wrong: status 500 or 503, a closed connection, or three seconds late.',
		rules: [
			{ status: 500, probability: 0.07, times: NO_LIMIT },
			{ status: 503, probability: 0.07, times: NO_LIMIT },
			{ drop: 'before', probability: 0.07, times: NO_LIMIT },
			{ delay_ms: 3000, probability: 0.07, times: NO_LIMIT },
		],
	},
	{
		name: 'outage',
		title: 'Outage',
		description: 'Every request gets status 503, for ten minutes of the sandbox’s time.',
		rules: [{ status: 503, times: NO_LIMIT, ttl: 'PT10M' }],
	},
	{
		name: 'slow',
		title: 'Slow',
		description: 'Every response begins after three seconds, and its body takes two seconds more.',
		rules: [{ slow_first_byte_ms: 3000, slow_body_ms: 2000, times: NO_LIMIT }],
	},
	{
		name: 'html-error-page',
		title: 'HTML error page',
		description: 'The next five requests get the error page of a proxy, with status 502.',
		rules: [{ status: 502, body: ERROR_PAGE, times: 5 }],
	},
	{
		name: 'lost-answers',
		title: 'Lost answers',
		description:
			'The next five POST requests, which create or start something, and the next five PUT requests, which change something, are carried out, but their answers are lost.',
		rules: [
			{ method: 'POST', drop: 'after', times: 5 },
			{ method: 'PUT', drop: 'after', times: 5 },
		],
	},
];
