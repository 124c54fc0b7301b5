import { describe, expect, it } from '@jest/globals';
import { A_CALL } from '../../../sandbox/test/support/calls.mts';
import { n8nAt } from '../../support/hostileService/subjects/subject.mts';
import {
	EmulatedPollNode,
	onAssistants,
	SCHEDULERS,
} from '../../support/trigger/emulatedPollNode.mts';
import { CONDITIONS } from '../../support/weather/conditions.mts';
import { startTriggersInWeather } from '../../support/weather/triggersInWeather.mts';

const { environment, under } = await startTriggersInWeather();
const { control } = environment.service;

describe.each(CONDITIONS)('at a service that %s', (_condition, conditions) => {
	it.each(SCHEDULERS)(
		'each call starts the workflow once, with a scheduler that is %s',
		async (scheduler) => {
			await under(conditions, async (server, takes) => {
				const trigger = new EmulatedPollNode(n8nAt(server), onAssistants(1), scheduler);
				expect(await takes(() => trigger.publish())).toEqual({ ms: expect.any(Number) });
				const ids: number[] = [];
				for (let count = 0; count < 2; count++) {
					const { id } = await control.outbound({ assistant_id: 1, to: '+4915112345611' });
					await control.advance(A_CALL);
					ids.push(id);
					expect(await takes(() => trigger.poll())).toEqual({ ms: expect.any(Number) });
				}
				expect(trigger.startedIds).toEqual(ids);
			});
		},
	);
});
