import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { packageNodeTypes } from '../support/n8n/package.mts';

/** What n8n's server reads of a node, with the names of the functions inside. */
const toJson = (value: unknown): unknown =>
	JSON.parse(
		JSON.stringify(value, (_, inner: unknown) =>
			typeof inner === 'function' ? `function ${inner.name}` : inner,
		),
	);

const fixture = new URL('fixtures/descriptions.json', import.meta.url);

// The operations are being rewritten. The fixture goes when that is done.
it('gives n8n the descriptions that it gave before', () => {
	const before = JSON.parse(readFileSync(fixture, 'utf8')) as Record<string, unknown>;
	const now = [...packageNodeTypes].map(([name, { description }]) => [name, toJson(description)]);
	expect(Object.fromEntries(now)).toEqual(before);
});
