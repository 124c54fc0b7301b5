import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callsOf } from '../support/sandbox/calls.mts';
import { idOf, rowsOf, type ServiceResponse } from '../support/sandbox/client.mts';
import { objectsOf } from '../support/sandbox/contract.mts';
import type { Service } from '../support/sandbox/service.mts';
import { startTestService } from '../support/sandbox/testService.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';

// Sends random sequences of requests to the service and to a small model of it. Both must show the same
// state.

interface Model {
	assistants: Map<
		number,
		{ name: string; url: string | null; active: boolean; inbound: string | null; tools: number[] }
	>;
	tools: Map<number, { timeout: number }>;
	leads: Map<number, { campaign: number; phone: string; status: string }>;
}

const start = (): Model => ({
	assistants: new Map([
		[1, { name: 'Caller', url: null, active: false, inbound: null, tools: [1] }],
		[2, { name: 'Receiver', url: null, active: false, inbound: null, tools: [] }],
	]),
	tools: new Map([
		[1, { timeout: 10 }],
		[2, { timeout: 10 }],
	]),
	leads: new Map([[1, { campaign: 1, phone: '+4915112345611', status: 'created' }]]),
});
const QUOTA = 5;

const service = await startTestService();

/** Sends one request and applies it to the model. @returns the response, and the status it should have */
type Play = (
	model: Model,
	service: Service,
) => Promise<{ response: ServiceResponse; status: number }>;

/** One request, and its effect on the model and on the service. */
class Step implements fc.AsyncCommand<Model, Service> {
	readonly name: string;
	readonly play: Play;
	constructor(name: string, play: Play) {
		this.name = name;
		this.play = play;
	}
	check(): boolean {
		return true;
	}
	async run(model: Model, real: Service): Promise<void> {
		const { response, status } = await this.play(model, real);
		expect({ status: response.status, body: response.body }).toMatchObject({ status });
		const records = rowsOf(await real.alice.get('/user/assistants/get', { per_page: 100 }));
		expect(
			records.map((record) => ({
				id: record.id,
				name: record.name,
				url: record.webhook_url,
				active: record.is_webhook_active,
				inbound: record.inbound_webhook_url,
				tools: objectsOf(record.tools).map((tool) => ({ id: tool.id, timeout: tool.timeout })),
			})),
		).toEqual(
			[...model.assistants].map(([id, assistant]) => ({
				id,
				...assistant,
				tools: assistant.tools.map((tool) => ({
					id: tool,
					timeout: model.tools.get(tool)?.timeout,
				})),
			})),
		);
	}
	toString(): string {
		return this.name;
	}
}

const step = (name: string, play: Play) => new Step(name, play);

/** The n-th id of a map, or one that does not exist. */
const nth = (ids: Map<number, unknown>, index: number): number => [...ids.keys()][index] ?? 999;

const which = fc.nat({ max: 5 });
const urls = fc.constantFrom('https://example.com/a', 'https://example.com/b', null);
const phones = fc.constantFrom(
	'+4915112345611',
	'+4915112345621',
	'+4915112345631',
	'+14155552671',
);

const createAssistant = fc.record({ url: urls, active: fc.boolean() }).map(({ url, active }) =>
	step(`create assistant (${url}, ${active})`, async (model, { alice }) => {
		const response = await alice.post('/user/assistant', {
			...newAssistant,
			webhook_url: url,
			is_webhook_active: active,
		});
		if (active && url === null) return { response, status: 422 };
		model.assistants.set(idOf(response), {
			name: 'Reception',
			url,
			active,
			inbound: null,
			tools: [],
		});
		return { response, status: 201 };
	}),
);

const updateWebhook = fc
	.record({
		index: which,
		fields: fc.record({ webhook_url: urls, is_webhook_active: fc.boolean() }, { requiredKeys: [] }),
	})
	.map(({ index, fields }) =>
		step(`update webhook of ${index} (${JSON.stringify(fields)})`, async (model, { alice }) => {
			const id = nth(model.assistants, index);
			const response = await alice.put(`/user/assistant/${id}`, fields);
			const assistant = model.assistants.get(id);
			if (!assistant) return { response, status: 404 };
			const url = fields.webhook_url === undefined ? assistant.url : fields.webhook_url;
			if (fields.is_webhook_active === true && url === null) return { response, status: 422 };
			assistant.active = url !== null && (fields.is_webhook_active ?? assistant.active);
			assistant.url = url;
			return { response, status: 200 };
		}),
	);

const rename = fc
	.record({ index: which, name: fc.string({ minLength: 1, maxLength: 255, unit: 'grapheme' }) })
	.map(({ index, name }) =>
		step(`rename assistant ${index} (${JSON.stringify(name)})`, async (model, { alice }) => {
			const id = nth(model.assistants, index);
			const response = await alice.put(`/user/assistant/${id}`, { assistant_name: name });
			if (Array.from(name).length > 255) return { response, status: 422 };
			const assistant = model.assistants.get(id);
			if (!assistant) return { response, status: 404 };
			assistant.name = name;
			return { response, status: 200 };
		}),
	);

const disableWebhook = which.map((index) =>
	step(`disable webhook of ${index}`, async (model, { alice }) => {
		const id = nth(model.assistants, index);
		const response = await alice.post('/user/assistants/disable-webhook', { assistant_id: id });
		const assistant = model.assistants.get(id);
		if (!assistant) return { response, status: 404 };
		Object.assign(assistant, { url: null, active: false });
		return { response, status: 200 };
	}),
);

const inboundWebhook = fc.record({ index: which, url: urls }).map(({ index, url }) =>
	step(`inbound webhook of ${index} (${url})`, async (model, { alice }) => {
		const assistant_id = nth(model.assistants, index);
		const response =
			url === null
				? await alice.post('/user/assistants/disable-inbound-webhook', { assistant_id })
				: await alice.post('/user/assistants/enable-inbound-webhook', {
						assistant_id,
						webhook_url: url,
					});
		const assistant = model.assistants.get(assistant_id);
		if (!assistant) return { response, status: 404 };
		assistant.inbound = url;
		return { response, status: 200 };
	}),
);

const setTools = fc
	.record({ index: which, tools: fc.uniqueArray(which, { maxLength: 4 }) })
	.map(({ index, tools }) =>
		step(`tools of ${index} (${tools.join()})`, async (model, { alice }) => {
			const id = nth(model.assistants, index);
			const tool_ids = [...new Set(tools.map((tool) => nth(model.tools, tool)))];
			const response = await alice.put(`/user/assistant/${id}`, { tool_ids });
			const assistant = model.assistants.get(id);
			if (!assistant) return { response, status: 404 };
			if (tool_ids.includes(999)) return { response, status: 422 };
			assistant.tools = tool_ids;
			return { response, status: 200 };
		}),
	);

const createTool = fc.constant(
	step('create tool', async (model, { alice }) => {
		const response = await alice.post('/user/tools', newTool);
		if (model.tools.size >= QUOTA) return { response, status: 422 };
		model.tools.set(idOf(response), { timeout: 10 });
		return { response, status: 201 };
	}),
);

const updateTool = fc
	.record({ index: which, timeout: fc.integer({ min: -1, max: 32 }) })
	.map(({ index, timeout }) =>
		step(`update tool ${index} (${timeout})`, async (model, { alice }) => {
			const id = nth(model.tools, index);
			const response = await alice.put(`/user/tools/${id}`, { timeout });
			if (timeout < 1 || timeout > 30) return { response, status: 422 };
			const tool = model.tools.get(id);
			if (!tool) return { response, status: 404 };
			tool.timeout = timeout;
			return { response, status: 200 };
		}),
	);

const createLead = fc
	.record({
		phone: phones,
		campaign: fc.constantFrom(1, 2, 101),
		allow: fc.boolean(),
		contacts: fc.array(phones, { maxLength: 2 }),
	})
	.map(({ phone, campaign, allow, contacts }) =>
		step(
			`create lead ${phone} in ${campaign} with [${contacts.join()}]${allow ? ', duplicates allowed' : ''}`,
			async (model, { alice }) => {
				const response = await alice.post('/user/lead', {
					campaign_id: campaign,
					phone_number: phone,
					allow_dupplicate: allow,
					secondary_contacts: contacts.map((phone_number) => ({ phone_number })),
				});
				const known = [...model.leads.values()]
					.filter((lead) => lead.campaign === campaign)
					.map((lead) => lead.phone);
				const all = [...known, phone, ...contacts];
				const duplicate = [phone, ...contacts].some(
					(number) => all.filter((other) => other === number).length > 1,
				);
				if (campaign === 101 || (duplicate && !allow)) return { response, status: 422 };
				const { data } = response.body as {
					data: { id: number; secondary_contacts: { id: number; phone_number: string }[] };
				};
				for (const lead of [{ id: data.id, phone_number: phone }, ...data.secondary_contacts]) {
					model.leads.set(lead.id, { campaign, phone: lead.phone_number, status: 'created' });
				}
				return { response, status: 200 };
			},
		),
	);

const updateLead = fc
	.record({
		index: which,
		fields: fc.record(
			{
				campaign_id: fc.constantFrom(1, 2, 101),
				status: fc.constantFrom('created', 'completed', 'reached-max-retries', 'processing'),
			},
			{ requiredKeys: [] },
		),
	})
	.map(({ index, fields }) =>
		step(`update lead ${index} (${JSON.stringify(fields)})`, async (model, { alice }) => {
			const id = nth(model.leads, index);
			const response = await alice.put(`/user/leads/${id}`, fields);
			if (fields.status === 'processing') return { response, status: 422 };
			const lead = model.leads.get(id);
			if (!lead || fields.campaign_id === 101) return { response, status: 404 };
			lead.campaign = fields.campaign_id ?? lead.campaign;
			lead.status = fields.status ?? lead.status;
			return { response, status: 200 };
		}),
	);

it('any sequence of requests leaves the service as the model says', async () => {
	const sequences = fc.commands(
		[
			createAssistant,
			updateWebhook,
			updateWebhook,
			rename,
			disableWebhook,
			inboundWebhook,
			setTools,
			createTool,
			updateTool,
			createLead,
			createLead,
			updateLead,
		],
		{ maxCommands: 40, size: 'max' },
	);
	await fc.assert(
		fc.asyncProperty(sequences, async (steps) => {
			await service.reset();
			const model = start();
			await fc.asyncModelRun(() => ({ model, real: service }), steps);

			// Leads cannot be listed, but a started campaign calls exactly those that are `created`.
			for (const campaign_id of [1, 2]) {
				await service.alice.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
			}
			await service.control.advance('P1D');
			const called = (await callsOf(service.alice)).map((call) =>
				[call.campaign_name, call.client_phone_number].join(' '),
			);
			const expected = [...model.leads.values()]
				.filter((lead) => lead.status === 'created')
				.map((lead) => `${lead.campaign === 1 ? 'Spring' : 'Autumn'} ${lead.phone}`);
			expect(called.sort()).toEqual(expected.sort());
		}),
		{ numRuns: 15 },
	);
});
