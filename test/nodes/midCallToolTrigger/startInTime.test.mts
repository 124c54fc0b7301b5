import { describe, expect, it } from '@jest/globals';
import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { MID_CALL_TOOL_TRIGGER } from '../../../host/n8n/names.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';
import { triggerParameters } from '../../support/trigger/toolTrigger.mts';

const { n8n } = await startTestEnvironment();

const LATE = { answer_until: '2026-03-02T09:00:08.000Z' };
const inTime = () => ({ answer_until: new Date(Date.now() + 60_000).toISOString() });

/** Begins the run of a tool call. */
const begin = async (item: IDataObject, mode: WorkflowExecuteMode, options: IDataObject = {}) =>
	await n8n.runNode({
		type: MID_CALL_TOOL_TRIGGER,
		parameters: triggerParameters([1], { options }),
		items: [item],
		mode,
	});

describe('the run of a tool call', () => {
	it('fails at the trigger when its turn comes after the fallback', async () => {
		const { error, output } = await begin(LATE, 'webhook');
		expect(error).toMatchObject({
			message: 'The assistant had already got the fallback, at 2026-03-02T09:00:08.000Z',
			description: expect.stringContaining('retry this execution'),
		});
		expect(output[0]).toEqual([]);
	});

	it.each<[string, () => Parameters<typeof begin>]>([
		['the assistant waits', () => [inTime(), 'webhook']],
		['the item has no time', () => [{}, 'webhook']],
		['somebody retries it', () => [LATE, 'retry']],
		['it is a run of the editor', () => [LATE, 'manual']],
		['Start When Late is on', () => [LATE, 'webhook', { startWhenLate: true }]],
	])('begins with its item where %s', async (_, run) => {
		const [item, ...rest] = run();
		const { error, output } = await begin(item, ...rest);
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json)).toEqual([item]);
	});
});
