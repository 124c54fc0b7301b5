import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import {
	LoggerProxy,
	NodeHelpers,
	setSafeRegexEngine,
	type ICredentialsHelper,
	type INodeType,
} from 'n8n-workflow';
import { PACKAGE } from '../../../host/n8n/names.mts';
import { root } from '../package.mts';

// n8n reads these variables once, at its first use. Each jest worker is one n8n instance.
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-'));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL = 'silent';
process.once('exit', () => rmSync(userFolder, { recursive: true }));

// n8n stops a regular expression after 250 ms. On a busy machine that would stop harmless ones, too.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

const loader = new PackageDirectoryLoader(root);
await loader.loadAll();

// Also n8n's silent logger looks up the caller of each message, which takes longer than most expressions.
const ignore = () => {};
LoggerProxy.init({ error: ignore, warn: ignore, info: ignore, debug: ignore });

/** The type of the {@link manualTrigger}. */
export const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

/** The button "Execute workflow". n8n's package with this node is not installed here. */
export const manualTrigger: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	execute() {
		return Promise.resolve([this.getInputData()]);
	},
};

/** The package's node types by their full names, ready to run. */
export const packageNodeTypes = new Map(
	Object.entries(loader.nodeTypes).map(([name, { type }]) => [
		`${PACKAGE}.${name}`,
		NodeHelpers.getVersionedNodeType(type),
	]),
);

/** Adds the token to a request as n8n's server does: by the `authenticate` of the credential type. */
export const authenticate: ICredentialsHelper['authenticate'] = async (
	credentials,
	type,
	request,
) => {
	const { authenticate: rule } = loader.getCredential(type).type;
	if (typeof rule !== 'function' || !('url' in request)) {
		throw new Error(`The harness cannot authenticate this request with ${type}`);
	}
	return await rule(credentials, request);
};
