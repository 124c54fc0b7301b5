import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readExamples } from '../../host/n8n/examples.mts';
import { readRecordNames, withRecordNames } from '../../host/n8n/recordNames.mts';
import { createSandbox } from '../../sandbox/index.mts';
import { root } from '../support/package.mts';

const SEED = join(root, 'sandbox/seeds/gallery.yaml');

/** Every record that the nodes of this package name, as n8n's editor shows it. */
const shownRecords = (value: unknown, field = ''): string[] => {
	if (typeof value !== 'object' || value === null) return [];
	if (!('__rl' in value && 'value' in value)) {
		return Object.entries(value).flatMap(([name, inside]) => shownRecords(inside, name));
	}
	const name = 'cachedResultName' in value ? value.cachedResultName : value.value;
	return /^(assistant|campaign|phoneNumber)Id$/.test(field) ? [String(name)] : [];
};

it('the examples show the names of their records, which are those of the sandbox', async () => {
	const sandbox = await createSandbox({ port: 0, seed: SEED });
	const names = await readRecordNames(sandbox).finally(() => sandbox.close());
	const examples = await readExamples();
	const shown = examples.flatMap((each) => shownRecords(withRecordNames(each, names).nodes));
	expect(shown).toContain('Appointment caller (ID 1)');
	expect(shown).toContain('Spring appointments (ID 1)');
	expect(shown).toContain('+14155550100 (ID 1)');
	expect(shown.filter((text) => /^\d+$/.test(text))).toEqual([]);
	expect(shown).toHaveLength(examples.flatMap((each) => shownRecords(each.nodes)).length);
});
