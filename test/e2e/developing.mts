import assert from 'node:assert/strict';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { packagesFolder } from '../../host/n8n/installPackage.mts';
import { PACKAGE, POLL_TRIGGER } from '../../host/n8n/names.mts';
import { ROOT } from '../../host/n8n/npmPack.mts';
import { RELOAD, watchPackage } from '../../host/n8n/watchPackage.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { startTestN8n } from '../support/startTestN8n.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const LIMIT_MS = 120_000;
const NODE = 'nodes/VoiceAssistantCallingPollTrigger/VoiceAssistantCallingPollTrigger.node';

/** What npm run dev does with the nodes, in a copy of their sources. */
export async function developing(environment: E2eEnvironment): Promise<void> {
	const { check, cleanup, host } = environment;
	if (host === 'oldest') return;

	await check('n8n loads a node again when its source is saved', async () => {
		const { editor, n8n, userFolder } = await startTestN8n(environment, { env: RELOAD });
		const { nodeTypes } = openCatalogue(editor.rest);
		const root = await temporaryFolder('sources', cleanup);
		for (const name of ['credentials', 'dist', 'icons', 'nodes', 'package.json', 'tsconfig.json']) {
			await cp(join(ROOT, name), join(root, name), { recursive: true });
		}
		await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
		using terminal = capturePrinted();
		const { printed } = terminal;
		await watchPackage({ userFolder, root }, cleanup);
		/** Saves a file. @param expected what the terminal then says */
		const save = async (name: string, change: (text: string) => string, ...expected: RegExp[]) => {
			const file = join(root, name);
			const from = printed.length;
			await writeFile(file, change(await readFile(file, 'utf8')));
			await waitFor(`the terminal to say ${expected.join(', ')}`, LIMIT_MS, () => {
				const said = printed.slice(from);
				const isSaid = expected.every((each) => said.some((text) => each.test(text)));
				return Promise.resolve(isSaid ? true : undefined);
			});
		};

		const description = 'Another description';
		const toOther = (source: string) =>
			source.replace(/(?<=\n\t\tdescription: ')[^']+/, description);
		const loaded = (end: string) =>
			new RegExp(`n8n has loaded \\d+ files? again, [0-9.]+ s after the save${end}\\.$`);
		await save(`${NODE}.ts`, toOther, loaded(''));
		await waitFor('n8n to show the change', LIMIT_MS, async () => {
			const shown = await nodeTypes();
			return shown.some((type) => type.name === POLL_TRIGGER && type.description === description)
				? true
				: undefined;
		});

		await save(
			`${NODE}.json`,
			(text) => text.replace('"alias": [', '"alias": ["another", '),
			loaded(''),
		);
		const withError = (source: string) => `${source}\nexport const wrong: number = 'a text';\n`;
		await save(`${NODE}.ts`, withError, /TS2322/, loaded(', in spite of the errors'));

		const compiled = join(packagesFolder(userFolder), PACKAGE, 'dist', `${NODE}.js`);
		const codeInN8n = async () => await readFile(compiled, 'utf8');
		const good = await readFile(join(root, `${NODE}.ts`), 'utf8');
		const before = await codeInN8n();
		await save(`${NODE}.ts`, () => 'export class {', /TS1/);
		const repaired = (text: string) => () => good.replace(description, text);
		await save(`${NODE}.ts`, repaired('Repaired'), loaded(', in spite of the errors'));
		assert.notEqual(await codeInN8n(), before);

		// It compiles, but no n8n can load it. The next save does not wait for it.
		const broken = "throw new Error('broken');";
		await save(`${NODE}.ts`, (source) => `${source}${broken}\n`);
		await waitFor('the broken file to be in n8n', LIMIT_MS, async () =>
			(await codeInN8n()).includes(broken) ? true : undefined,
		);
		await save(`${NODE}.ts`, repaired('Repaired twice'), loaded(', in spite of the errors'));
		// What is said can still be of the broken file: n8n lists its node types after it, too.
		await waitFor('the repaired file to be in n8n', LIMIT_MS, async () =>
			(await codeInN8n()).includes('Repaired twice') ? true : undefined,
		);
		assert.deepEqual(
			printed.filter((text) => text.includes('in vain')),
			[],
		);
		await n8n().stop();
	});
}

/** Collects what is printed, instead of showing it, until it is disposed of. */
function capturePrinted(): Disposable & { printed: string[] } {
	const printed: string[] = [];
	const methods = (['log', 'error'] as const).map((method) =>
		mock.method(console, method, (text: string) => printed.push(text)),
	);
	return {
		printed,
		[Symbol.dispose]: () => {
			for (const { mock: replaced } of methods) replaced.restore();
		},
	};
}
