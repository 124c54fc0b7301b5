import * as z from 'zod';

import type { Rest } from './rest.mts';
import { waitFor } from '../process/wait.mts';
import type { CredentialRef } from './workflow.mts';

const TYPES_LIMIT_MS = 30_000;

const icon = z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]);
const nodeType = z
	.object({ name: z.string(), displayName: z.string(), iconUrl: icon.optional() })
	.passthrough();
const installed = z.object({
	packageName: z.string(),
	installedVersion: z.string(),
	installedNodes: z.array(z.object({ name: z.string(), type: z.string() })),
});
const choices = z.object({
	results: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })),
	paginationToken: z.unknown(),
});
const options = z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }));

/** A node or credential type as the editor is told of it. */
export type Served = z.infer<typeof nodeType>;

/** A package as n8n's list of community nodes shows it. */
export type InstalledPackage = z.infer<typeof installed>;

/** The parameter of a node that is filled in from a list. */
export interface Picker {
	/** full name of the node type */
	node: string;
	/** name of the parameter */
	parameter: string;
	/** name of the node's method that gives the list */
	method: string;
	/** the node's other parameters */
	parameters?: Record<string, unknown>;
	credential: CredentialRef;
}

/** What n8n offers its editor: packages, node types, and lists for their fields. */
export interface Catalogue {
	/** Installs a community package, as *Settings → Community nodes* does. Throws with n8n's words. */
	install(name: string, version: string): Promise<InstalledPackage>;
	/** Replaces an installed package by another version. */
	update(name: string, version: string): Promise<InstalledPackage>;
	uninstall(name: string): Promise<void>;
	installed(): Promise<InstalledPackage[]>;
	nodeTypes(): Promise<Served[]>;
	credentialTypes(): Promise<Served[]>;
	/** What a resource locator lists, for what was typed into its search field. */
	search(picker: Picker, filter?: string, paginationToken?: unknown): Promise<Choices>;
	/** What a drop-down list offers. */
	options(picker: Picker): Promise<z.infer<typeof options>>;
}

/** One page of a list; with a token when there are more. */
export type Choices = z.infer<typeof choices>;

/** Opens what n8n offers its editor (n8n 2.0.0 and 2.41.1). @param rest signed in */
export function openCatalogue({ send, call }: Rest): Catalogue {
	/** n8n writes these files anew after each installation, and serves them while it does (n8n 2.0). */
	const served = async (path: string): Promise<Served[]> =>
		await waitFor(`the whole of ${path}`, TYPES_LIMIT_MS, async () => {
			const response = await send('GET', path);
			if (!response.ok) throw new Error(`n8n answered ${response.status} to ${path}.`);
			const types = parsed(await response.text());
			return types === undefined ? undefined : z.array(nodeType).parse(types);
		});
	const question = ({ node, parameter, method, parameters = {}, credential }: Picker) => ({
		nodeTypeAndVersion: { name: node, version: 1 },
		path: `parameters.${parameter}`,
		methodName: method,
		currentNodeParameters: parameters,
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	});
	return {
		async install(name, version) {
			const body = { name, version, verify: false };
			return await call(installed, 'POST', '/community-packages', body);
		},
		async update(name, version) {
			return await call(installed, 'PATCH', '/community-packages', { name, version });
		},
		async uninstall(name) {
			const path = `/community-packages?name=${encodeURIComponent(name)}`;
			const response = await send('DELETE', `/rest${path}`);
			if (!response.ok) throw new Error(`n8n answered ${response.status} to DELETE ${path}.`);
		},
		async installed() {
			return await call(z.array(installed), 'GET', '/community-packages');
		},
		async nodeTypes() {
			return await served('/types/nodes.json');
		},
		async credentialTypes() {
			return await served('/types/credentials.json');
		},
		async search(picker, filter, paginationToken) {
			return await call(choices, 'POST', '/dynamic-node-parameters/resource-locator-results', {
				...question(picker),
				filter,
				paginationToken,
			});
		},
		async options(picker) {
			return await call(options, 'POST', '/dynamic-node-parameters/options', question(picker));
		},
	};
}

/** What a text holds; undefined where it is no JSON, or not all of it. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
