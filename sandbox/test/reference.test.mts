import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { root } from '../../test/support/package.mts';
import { createSandboxClient } from '../client.mts';
import { createSandbox } from '../index.mts';
import { sendRequest } from './support/client.mts';
import { operations } from './support/contract.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();
const { controlUrl } = service;

const description = z.object({
	openapi: z.string(),
	servers: z.tuple([z.object({ url: z.string() })]),
	paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

async function readDescription(name: string) {
	const { status, text } = await sendRequest(`${controlUrl}/${name}`);
	expect(status).toBe(200);
	const { servers, paths } = description.parse(JSON.parse(text));
	const requests = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods)
			.filter(([method]) => method !== 'parameters')
			.map(([method, operation]) => ({
				request: `${method.toUpperCase()} ${path}`,
				...z.object({ summary: z.string().optional() }).parse(operation),
			})),
	);
	return { url: servers[0].url, requests };
}

it('the contract is served, for the address of the sandbox', async () => {
	const { url, requests } = await readDescription('openapi.json');
	expect(requests).toHaveLength(operations.length);
	expect(new URL(url, controlUrl).href).toBe(service.url);
});

describe('the control API is described', () => {
	/** Requests for one kind of records look like those for every other. */
	const KIND = /(?<=\/records\/)[\w-]+/;
	const described = async () => {
		const { requests } = await readDescription('control.json');
		return [...new Set(requests.map(({ request }) => request.replace(KIND, '{kind}')))].sort();
	};

	it('with a sentence for each request', async () => {
		const { url, requests } = await readDescription('control.json');
		expect(url).toBe('/__sandbox');
		expect(requests.length).toBeGreaterThan(30);
		expect(requests.filter(({ summary }) => !/^[A-Z].+\.$/.test(summary ?? ''))).toEqual([]);
	});

	it('and control.md names the same requests', async () => {
		const page = await readFile(join(root, 'sandbox/control.md'), 'utf8');
		const named = [...page.matchAll(/`(GET|POST|DELETE) (\/[\w/{}.-]*)/g)].map(
			([, method, path]) => `${method} ${path}`,
		);
		const pages = ['GET /', 'GET /openapi.json', 'GET /control.json', 'GET /reference/'];
		const requests = [...new Set(named)].filter((request) => !pages.includes(request)).sort();
		expect(requests).toEqual(await described());
	});

	it('and the client sends no other ones', async () => {
		const sent = new Set<string>();
		const client = createSandboxClient(controlUrl);
		const fetching = jest.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
			const path = new URL(url).pathname.slice('/__sandbox'.length);
			sent.add(`${init?.method} ${path.replaceAll(/(?<=\/)1(?=\/|$)/g, '{ID}')}`);
			return Promise.resolve(new Response('{"data": []}'));
		});
		for (const [name, method] of Object.entries<unknown>(client)) {
			if (name === 'request' || typeof method !== 'function') continue;
			await (method as (argument: unknown) => Promise<unknown>)(
				name === 'responseTo' ? { id: 1 } : '1',
			);
		}
		fetching.mockRestore();
		const templates = (await described()).map((request) => request.replaceAll(/\{\w+\}/g, '{ID}'));
		expect([...sent].filter((request) => !templates.includes(request))).toEqual([]);
		expect(sent.size).toBeGreaterThan(15);
	});
});

describe('the description of the control API', () => {
	const operation = z.object({
		parameters: z
			.array(z.object({ name: z.string(), description: z.string().optional() }))
			.default([]),
		requestBody: z
			.object({
				content: z.object({ 'application/json': z.object({ schema: z.unknown() }).passthrough() }),
			})
			.optional(),
	});
	const read = async () => {
		const { text } = await sendRequest(`${controlUrl}/control.json`);
		const { paths } = description.parse(JSON.parse(text));
		return Object.entries(paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, one]) => {
				const { parameters, requestBody } = operation.parse(one);
				return { path, method, parameters, body: requestBody?.content['application/json'] };
			}),
		);
	};

	/** The names of fields without a description, at any depth of a schema. */
	const undescribed = (schema: unknown): string[] =>
		typeof schema !== 'object' || schema === null
			? []
			: Object.entries(schema).flatMap(([key, value]: [string, unknown]) => [
					...(key === 'properties'
						? Object.entries(z.record(z.string(), z.object({}).passthrough()).parse(value))
								.filter(([, field]) => field.description === undefined)
								.map(([name]) => name)
						: []),
					...undescribed(value),
				]);

	it('describes each field and each parameter', async () => {
		const found = (await read()).map(({ path, method, parameters, body }) => ({
			request: `${method} ${path}`,
			undescribed: [
				...parameters.filter((one) => one.description === undefined).map(({ name }) => name),
				...undescribed(body?.schema),
			],
		}));
		expect(found.filter((one) => one.undescribed.length > 0)).toEqual([]);
		expect(undescribed({ properties: { advance: {} } })).toEqual(['advance']);
	});

	it('has examples of each body, which a new sandbox accepts', async () => {
		const sandbox = await createSandbox({ port: 0, clock: 'manual' });
		try {
			const control = createSandboxClient(sandbox.control);
			const webhook = { is_webhook_active: true, webhook_url: 'http://127.0.0.1:9/' };
			const set = await sendRequest(`${sandbox.url}/user/assistant/1`, {
				method: 'PUT',
				headers: {
					Authorization: `Bearer ${sandbox.token}`,
					'Content-Type': 'application/json',
				},
				body: JSON.stringify(webhook),
			});
			expect(set.status).toBe(200);
			await control.outbound({ assistant_id: 1, to: '+14155550123' });
			await control.advance('PT10M');
			const bodies = (await read()).filter(({ body }) => body !== undefined);
			expect(bodies.length).toBeGreaterThan(6);
			for (const { path, body = {} } of bodies) {
				const examples = z.record(z.string(), z.object({ value: z.unknown() }));
				const values = Object.values(examples.parse(body.examples ?? {})).map(({ value }) => value);
				const sent = 'example' in body ? [body.example] : values;
				expect([path, sent.length]).not.toEqual([path, 0]);
				const url = path.replace('{id}', '1').replace('{name}', 'before%20the%20campaign');
				for (const value of sent) {
					const { status, text } = await sendRequest(`${sandbox.control}${url}`, {
						method: 'POST',
						headers: { 'Content-Type': 'application/json' },
						body: JSON.stringify(value),
					});
					expect([path, value, status, status === 200 ? '' : text]).toEqual([path, value, 200, '']);
				}
			}
		} finally {
			await sandbox.close();
		}
	});
});

describe('the page', () => {
	it('loads nothing from elsewhere', async () => {
		const page = await sendRequest(`${controlUrl}/reference/`);
		expect(page.status).toBe(200);
		expect(page.text).not.toMatch(/(?:src|href)="https?:/);
		expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
	});
});
