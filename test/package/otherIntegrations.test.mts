import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { resources } from '../../nodes/VoiceAssistantCalling/resources/index.ts';
import { root } from '../support/package.mts';

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The rows of the table in docs/actions.md. */
const [, section = ''] = readText('docs/actions.md').split('### What other integrations offer');
const rows = section
	.slice(0, section.indexOf('\n### '))
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.slice(1)
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map(([, what = '', request = '', here = '']) => ({ what, request, here }));

interface Operation {
	operationId: string;
}

const { paths, webhooks } = parse(readText('contract/openapi.yaml')) as Record<
	'paths' | 'webhooks',
	Record<string, Record<string, Operation>>
>;

/** Of the contract, and of other public documents: `POST /user/lead`. */
const requests = Object.entries(paths).flatMap(([path, methods]) =>
	Object.entries(methods)
		.filter(([, operation]) => operation.operationId)
		.map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} \`${path}\``]),
);

/** The operations of the node, as the screen names them, with their method and path. */
const operations = new Map<string, string>(
	Object.values(resources).flatMap(({ name, operations: all }) =>
		Object.values(all).map((operation) => {
			const { method = '', url = '' } = 'request' in operation ? operation.request : {};
			const path = url.replace(/^=/, '').replace(/\{\{\$parameter\.\w+\}\}/, '{id}');
			// The path of a list can be one of the credential.
			const usual = /\|\| "([^"]+)"/.exec(path)?.[1] ?? path;
			return [`${name} → ${operation.name}`, `${method} \`${usual}\``] as const;
		}),
	),
);

/** Enabling is an update at a service that follows the contract; one assistant or call is read in a list. */
const OTHER_REQUEST = ['Voice Assistant → Enable Webhook', 'Call → Get'];

describe('what other integrations offer', () => {
	it.each(requests)('has %s, once', (_operationId, request) => {
		expect(rows.filter((row) => row.request === request)).toHaveLength(1);
	});

	it('has nothing else but events', () => {
		const known = requests.map(([, request]) => request);
		const others = rows.filter(({ request }) => !known.includes(request));
		expect(others.every(({ what }) => what.startsWith('Event: '))).toBe(true);
		expect(others).toHaveLength(Object.keys(webhooks).length + 1);
	});

	it.each(rows)('$request: $here', ({ what, request, here }) => {
		const named = [...here.matchAll(/\*([^*]+ → [^*]+)\*/g)].map(([, name = '']) => name);
		const otherwise = what.startsWith('Event: ') ? /Trigger\*/ : /\*Custom API Call\*/;
		if (named.length === 0) expect(here).toMatch(otherwise);
		for (const name of named) {
			expect([...operations.keys()]).toContain(name);
			if (!OTHER_REQUEST.includes(name)) expect(operations.get(name)).toBe(request);
		}
	});
});
