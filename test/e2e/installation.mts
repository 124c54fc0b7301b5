import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

import type { TypeDescription } from '../../host/api/catalogue.mts';
import {
	ACTION,
	CREDENTIAL_TYPE,
	MID_CALL_TOOL_TRIGGER,
	POLL_TRIGGER,
	TRIGGER,
} from '../../host/n8n/names.mts';
import { waitFor } from '../../host/process/wait.mts';
import { filesMatching, root } from '../support/package.mts';
import { PREVIEWS } from '../support/parity/previews.mts';
import type { E2eServers } from './testEnvironment.mts';

const nodesManifest = z.object({ dependencies: z.record(z.string()) });
const TYPES_LIMIT_MS = 30_000;
/** All nodes of the package, in the order of their names. */
const NODES = [ACTION, MID_CALL_TOOL_TRIGGER, POLL_TRIGGER, TRIGGER];

const only = (all: TypeDescription[], wanted: string): TypeDescription => {
	const found = all.filter(({ name }) => name === wanted);
	const [one] = found;
	assert.ok(one !== undefined && found.length === 1, `${wanted} is served ${found.length} times`);
	return one;
};

/** Installs the package through n8n and checks what n8n then serves. */
export async function installation(servers: E2eServers): Promise<void> {
	const { check, require, catalogue, editor, tarball } = servers;

	await require("n8n's installer takes the packed package", async () => {
		const installed = await catalogue.install(tarball.name, tarball.version);
		const nodes = installed.installedNodes.map(({ type }) => type).sort();
		assert.deepEqual(nodes, NODES);
		assert.deepEqual(
			(await catalogue.installed()).map(({ packageName, installedVersion }) => [
				packageName,
				installedVersion,
			]),
			[[tarball.name, tarball.version]],
		);
	});

	// n8n responds before it has written the new list of types.
	const [nodeTypes, credentialTypes] = await require('n8n lists the new types', async () => {
		return await waitFor('the new types to be listed', TYPES_LIMIT_MS, async () => {
			const nodes = await catalogue.nodeTypes();
			const credentials = await catalogue.credentialTypes();
			const isListed = [...nodes, ...credentials].some(({ name }) => name === CREDENTIAL_TYPE);
			return isListed ? [nodes, credentials] : undefined;
		});
	});

	await check('n8n serves all nodes and the credential', () => {
		const names = NODES.map((name) => only(nodeTypes, name).displayName);
		assert.deepEqual(names, [
			'Voice Assistant Calling',
			'Voice Mid Call Tool Trigger',
			'Poll Voice Assistant Trigger',
			'Voice Assistant Calling Trigger',
		]);
		const { displayName } = only(credentialTypes, CREDENTIAL_TYPE);
		assert.equal(displayName, 'Voice Assistant Calling API');
	});

	await check('n8n serves the action node as a tool for AI agents', () => {
		const aiTool = only(nodeTypes, `${ACTION}Tool`);
		assert.equal(aiTool.displayName, 'Voice Assistant Calling Tool');
		assert.deepEqual(aiTool.outputs, ['ai_tool']);
	});

	await check('n8n serves the categories and search words of the nodes', async () => {
		for (const name of NODES) {
			const source = filesMatching('nodes/*/*.node.json').find((file) =>
				file.toLowerCase().endsWith(`${name.split('.')[1] ?? ''}.node.json`.toLowerCase()),
			);
			assert.ok(source !== undefined, `${name} has no codex file`);
			const codex: unknown = JSON.parse(await readFile(join(root, source), 'utf8'));
			const { categories, alias } = z
				.object({ categories: z.array(z.string()), alias: z.array(z.string()) })
				.parse(codex);
			assert.partialDeepStrictEqual(only(nodeTypes, name).codex, { categories, alias });
		}
	});

	await check('n8n serves the icons, light and dark, of nodes and credential', async () => {
		const types = NODES.map((name) => only(nodeTypes, name));
		for (const { name, iconUrl } of [...types, only(credentialTypes, CREDENTIAL_TYPE)]) {
			assert.ok(typeof iconUrl === 'object', `${name} lacks an icon`);
			const [light, dark] = await Promise.all(
				[iconUrl.light, iconUrl.dark].map(async (url) => {
					const response = await editor.rest.send('GET', `/${url}`);
					assert.equal(response.status, 200, url);
					assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
					return await response.text();
				}),
			);
			assert.match(light ?? '', /<svg /);
			assert.match(dark ?? '', /<svg /);
			assert.notEqual(light, dark);
		}
	});

	await check('n8n serves an output preview of each operation', async () => {
		const files = filesMatching(`${PREVIEWS}/*/*.json`);
		assert.notEqual(files.length, 0);
		for (const file of files) {
			const operation = file.slice(PREVIEWS.length);
			const response = await editor.rest.send('GET', `/schemas/${ACTION}/1.0.0${operation}`);
			assert.equal(response.status, 200, operation);
			assert.deepEqual(await response.json(), JSON.parse(await readFile(join(root, file), 'utf8')));
		}
	});
}

/** Uninstalls the package through n8n. */
export async function uninstallation(servers: E2eServers): Promise<void> {
	const { check, catalogue, host, tarball, userFolder } = servers;

	await check("n8n's uninstaller leaves nothing of the package", async () => {
		await catalogue.uninstall(tarball.name);
		assert.deepEqual(await catalogue.installed(), []);
		// n8n responds before it has written the new list of types.
		await waitFor('the node types to be gone', TYPES_LIMIT_MS, async () => {
			const all = [...(await catalogue.nodeTypes()), ...(await catalogue.credentialTypes())];
			const left = all.filter(
				({ name }) => name.startsWith(tarball.name) || name === CREDENTIAL_TYPE,
			);
			return left.length === 0 ? true : undefined;
		});

		const folder = join(userFolder, '.n8n', 'nodes');
		assert.equal(existsSync(join(folder, 'node_modules', tarball.name)), false);
		assert.deepEqual(
			(await readdir(folder)).filter((file) => file.endsWith('.tgz')),
			[],
		);
		const { dependencies } = nodesManifest.parse(
			JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
		);
		// n8n 2.0 does not remove the dependency.
		const expected = host === 'oldest' ? { [tarball.name]: tarball.version } : {};
		assert.deepEqual(dependencies, expected);
	});
}
