import { describe, expect, it } from '@jest/globals';
import { byId, operationNamed } from '../../support/n8n/operations.mts';
import { n8nAt } from '../../support/hostileService/subjects/subject.mts';
import { CONDITIONS } from '../../support/weather/conditions.mts';
import { startTriggersInWeather } from '../../support/weather/triggersInWeather.mts';

const { environment, under } = await startTriggersInWeather();
const { control } = environment.service;

const LEADS = 12;
const people = Array.from({ length: LEADS }, (_, index) => ({
	phone: `+4915112348${100 + index}`,
}));

describe.each(CONDITIONS)('at a service that %s', (_condition, conditions) => {
	it('a run adds each lead once, and reads the list of assistants', async () => {
		await under(conditions, async (server, takes) => {
			const n8n = n8nAt(server);
			const { parameters } = operationNamed('lead: create');
			const lead = { ...parameters, campaignId: byId(1), phoneNumber: '={{ $json.phone }}' };
			const created = await takes(async () => {
				const { output } = await n8n.runNode({
					parameters: lead,
					items: people,
					settings: { onError: 'continueErrorOutput' },
				});
				// A gateway that gives up says nothing about the lead, so nobody adds it again.
				const unknown = output
					.flat()
					.filter(({ json }) => JSON.stringify(json).includes('"unknown"'));
				expect(unknown).toHaveLength(conditions.gateway ? LEADS / 2 : 0);
			});
			expect(created.failure).toBeUndefined();
			const list = { ...operationNamed('assistant: getAll').parameters, returnAll: true };
			expect(await takes(async () => await n8n.runNode({ parameters: list }))).toEqual({
				ms: expect.any(Number),
			});
		});
		const numbers = (await control.requests())
			.filter(({ operation, status }) => operation === 'createLead' && status === 200)
			.map(({ body }) => (body as { phone_number: string }).phone_number);
		expect(numbers.toSorted()).toEqual(people.map(({ phone }) => phone));
	});
});
