import type * as z from 'zod';

import type { Context, Engine } from '../domain/context.mts';
import { addEvent, shownTime } from '../domain/events.mts';
import type { ShownFault } from '../faults/faults.mts';
import { FAULT_PRESETS } from '../faults/presets.mts';
import { ENDLESS } from '../faults/ruleSet.mts';
import type { inputs } from './inputs.mts';

/** Adds an event about the sandbox itself, such as "All faults were turned off." */
export const addSandboxEvent = (engine: Engine, text: string): void =>
	engine.commit((context) => addEvent(context, { kind: 'sandbox', text }));

/** Adds an event about the clock, after it was changed. @param ran how many jobs ran meanwhile */
export function addClockEvent(
	context: Context,
	{ mode, speed, advance, until_idle: untilIdle }: z.output<typeof inputs.clock>,
	ran: number,
): void {
	const time = shownTime(context.now, context.assumptions);
	const changes = [
		mode !== undefined && `The clock is ${mode} now.`,
		speed !== undefined && `The speed of the accelerated clock is ${speed} now.`,
		(advance !== undefined || untilIdle === true) &&
			`The clock was moved forward to ${time}. Jobs that ran: ${ran}.`,
	].filter((change) => change !== false);
	if (changes.length > 0) addEvent(context, { kind: 'sandbox', text: changes.join(' ') });
}

/** The title of the preset that has a fault, such as “Flaky”; undefined when none has it. */
export function presetTitle({ preset }: ShownFault): string | undefined {
	const { title } = FAULT_PRESETS.find(({ name }) => name === preset) ?? {};
	return title === undefined ? undefined : `“${title}”`;
}

/** Adds an event about a new fault, such as "Fault 3 was turned on: status 429, times 2." */
export const addFaultEvent = (engine: Engine, fault: ShownFault): void =>
	engine.commit((context) => {
		const name = [`Fault ${fault.id}`, presetTitle(fault)].filter(Boolean).join(' ');
		const text = `${name} was turned on: ${shownRule(fault, context)}.`;
		addEvent(context, { kind: 'sandbox', text });
	});

/** Bodies and headers may be long. The others have words of their own. */
const NOT_LISTED = ['body', 'headers', 'id', 'preset', 'times', 'ttl', 'expires_at'];

function shownRule(fault: ShownFault, { assumptions }: Context): string {
	const { times, expires_at: end } = fault;
	const fields = Object.entries(fault)
		.filter(([name, value]) => !NOT_LISTED.includes(name) && value !== undefined)
		.map(([name, value]) => {
			// What a field of a body is to have may be secret.
			if (name === 'body_field') return `${name} ${(value as { name: string }).name}`;
			return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
		});
	if (times < ENDLESS) fields.push(`times ${times}`);
	if (end !== undefined) fields.push(`until ${shownTime(Date.parse(end), assumptions)}`);
	return fields.join(', ');
}
