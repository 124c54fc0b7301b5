import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { created, n8nAt, pageOf } from '../../../support/n8n/stubService.mts';

const startServer = stubServersPerTest();
const TOKEN = '12|abcdefgh/IJKLMNOP+qrstuvwx==';

/** JSON as PHP writes it, in which a slash has a backslash. */
const phpJson = (value: unknown) => JSON.stringify(value).replaceAll('/', '\\/');

describe.each([JSON.stringify, phpJson])(
	'a body that repeats the token shows *** (%#)',
	(write) => {
		it.each(OPERATIONS)('$name', async ({ parameters, request: { method } }) => {
			const server = await startServer(({ authorization = '' }) => {
				const row = { id: 1, name: authorization, deeper: [{ [authorization]: authorization }] };
				const body = method === 'GET' ? pageOf([row]) : created(row);
				return { headers: { 'Content-Type': 'application/json' }, body: write(body) };
			});
			const { error, output } = await n8nAt(server, TOKEN).runNode({
				parameters: { ...parameters, simplify: false },
			});
			expect(server.requests[0]?.authorization).toBe(`Bearer ${TOKEN}`);
			const shown = JSON.stringify([output, error]);
			expect(shown).not.toMatch(/abcdefgh|IJKLMNOP/);
			// Some give only fields of their own.
			expect(shown.includes('{"Bearer ***":"Bearer ***"}')).toBe(shown.includes('deeper'));
		});
	},
);
