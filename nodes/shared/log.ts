import type { FunctionsBase } from 'n8n-workflow';

import { ProcessMemory } from './processMemory';
import { asText } from './values/json';

/** Whose line it is. */
type LogContext = Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow' | 'logger'>;

/** Writes a line into n8n's log. n8n's own fields of a line name neither workflow nor node (n8n.md#lines-of-the-log). */
export function log(context: LogContext, level: 'info' | 'warn', line: string): void {
	const { id, name } = context.getWorkflow();
	const origin = `Workflow '${asText(name)}' (ID ${asText(id)}), node '${context.getNode().name}'`;
	context.logger[level](`${origin}: ${line}`);
}

const HOUR_MS = 3_600_000;

const hourly = new ProcessMemory<{ since: number; count: number }>('loggedHourly');

/**
 * Writes a line of a node once an hour at most, with how often it was left out before: what happens once can
 * happen at each poll, delivery or run.
 *
 * @param topic names what happened, where the line differs each time
 */
export function logHourly(
	context: LogContext,
	level: 'info' | 'warn',
	line: string,
	topic = line,
): void {
	const now = Date.now();
	const node = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
	const key = [...node, topic].join(' ');
	const last = hourly.get(key);
	if (last && Math.abs(now - last.since) < HOUR_MS) {
		last.count++;
		return;
	}
	const more = last?.count ? ` Since the last such line: ${last.count} more.` : '';
	hourly.set(key, { since: now, count: 0 });
	log(context, level, line + more);
}
