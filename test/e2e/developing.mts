import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { POLL_TRIGGER } from '../../host/n8n/names.mts';
import { ROOT } from '../../host/n8n/npmPack.mts';
import { RELOAD, watchPackage } from '../../host/n8n/watchPackage.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { startTestN8n } from '../support/startTestN8n.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const LIMIT_MS = 120_000;
const SOURCE = 'nodes/VoiceAssistantCallingPollTrigger/VoiceAssistantCallingPollTrigger.node.ts';

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
		await watchPackage({ userFolder, root }, cleanup);

		const file = join(root, SOURCE);
		const source = await readFile(file, 'utf8');
		const description = 'Another description';
		await writeFile(file, source.replace(/(?<=\n\t\tdescription: ')[^']+/, description));
		await waitFor('n8n to show the change', LIMIT_MS, async () => {
			const shown = await nodeTypes();
			return shown.some((type) => type.name === POLL_TRIGGER && type.description === description)
				? true
				: undefined;
		});
		await n8n().stop();
	});
}
