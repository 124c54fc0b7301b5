import { milliseconds } from '../base/duration.mts';
import type { Schemas } from '../contract/schemas.mts';

/** One step of a call: how long after the step before (ISO 8601) it gets which status. */
export interface Step {
	after: string;
	status: Schemas['CallStatus'];
	/** The assistant calls a tool. The next step counts from the end of the tool's answer. */
	callsTool?: true;
}

const PICKED_UP: Step[] = [
	{ after: 'PT0S', status: 'initiated' },
	{ after: 'PT2S', status: 'ringing' },
	{ after: 'PT6S', status: 'in-progress' },
];

const answered = (end: Schemas['CallStatus']): Step[] => [
	...PICKED_UP,
	{ after: 'PT60S', status: end },
];

/** The scenario in which the assistant uses a mid call tool. */
export const TOOL_CALL = 'tool-call';

/** Scenarios by name. The control API, a seeded lead, or the phone number chooses one. */
const SCENARIOS: { [name: string]: Step[] } = {
	answered: answered('completed'),
	ended: answered('ended'),
	ended_by_customer: answered('ended_by_customer'),
	ended_by_assistant: answered('ended_by_assistant'),
	[TOOL_CALL]: [
		...PICKED_UP,
		{ after: 'PT10S', status: 'in-progress', callsTool: true },
		{ after: 'PT50S', status: 'completed' },
	],
	'no-answer': [
		{ after: 'PT0S', status: 'initiated' },
		{ after: 'PT2S', status: 'ringing' },
		{ after: 'PT30S', status: 'no-answer' },
	],
	busy: [
		{ after: 'PT0S', status: 'initiated' },
		{ after: 'PT2S', status: 'ringing' },
		{ after: 'PT2S', status: 'busy' },
	],
	failed: [
		{ after: 'PT0S', status: 'initiated' },
		{ after: 'PT2S', status: 'ringing' },
		{ after: 'PT1S', status: 'failed' },
	],
};

/** Names of all scenarios. */
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as [string, ...string[]];

const DEFAULT_SCENARIO = 'answered';

/** The last digits of a phone number can choose a scenario, for whoever can choose nothing else. */
const SCENARIO_BY_ENDING: { [ending: string]: string } = {
	99901: 'no-answer',
	99902: 'busy',
	99903: 'failed',
	99904: 'ended',
	99905: 'ended_by_customer',
	99906: 'ended_by_assistant',
	99907: TOOL_CALL,
};

/** The scenario of a call to or from this number, unless another one was chosen. */
export const scenarioOfNumber = (phoneNumber: string): string =>
	SCENARIO_BY_ENDING[phoneNumber.slice(-5)] ?? DEFAULT_SCENARIO;

/** The step of a scenario, counted from 0, or undefined after its last. */
export const stepOf = (scenario: string, step: number): Step | undefined =>
	SCENARIOS[scenario]?.[step];

/** Milliseconds from the step before to this one. */
export const waitBefore = (scenario: string, step: number): number =>
	milliseconds(stepOf(scenario, step)?.after ?? 'PT0S');
