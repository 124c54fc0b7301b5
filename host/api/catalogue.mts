import * as z from 'zod';

import type { Rest } from './rest.mts';
import { waitFor } from '../process/wait.mts';
import type { CredentialRef } from './workflow.mts';

const TYPES_LIMIT_MS = 30_000;

const icon = z.union([z.string(), z.object({ light: z.string(), dark: z.string() })]);
const typeDescription = z
	.object({ name: z.string(), displayName: z.string(), iconUrl: icon.optional() })
	.passthrough();
const installed = z.object({
	packageName: z.string(),
	installedVersion: z.string(),
	installedNodes: z.array(z.object({ name: z.string(), type: z.string() })),
});
const listPage = z.object({
	results: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })),
	paginationToken: z.unknown(),
});
const options = z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }));

/** A node or credential type as n8n describes it to its editor. */
export type TypeDescription = z.infer<typeof typeDescription>;

/** A package as n8n's list of community nodes shows it. */
export type InstalledPackage = z.infer<typeof installed>;

/** A parameter whose values n8n lists. */
export interface ListParameter {
	/** full name of the node type */
	node: string;
	/** name of the parameter */
	parameter: string;
	/** name of the node's method for the list */
	method: string;
	/** the node's other parameters */
	parameters?: Record<string, unknown>;
	credential: CredentialRef;
}

/** What n8n offers its editor: packages, node types, and lists for their fields. */
export interface Catalogue {
	/** Installs a community package, as *Settings → Community nodes* does. */
	install(name: string, version: string): Promise<InstalledPackage>;
	/** Replaces an installed package by another version. */
	update(name: string, version: string): Promise<InstalledPackage>;
	uninstall(name: string): Promise<void>;
	installed(): Promise<InstalledPackage[]>;
	nodeTypes(): Promise<TypeDescription[]>;
	credentialTypes(): Promise<TypeDescription[]>;
	/** What a resource locator lists for a text in its search field. */
	search(parameter: ListParameter, filter?: string, paginationToken?: unknown): Promise<ListPage>;
	/** What a drop-down list offers. */
	options(parameter: ListParameter): Promise<z.infer<typeof options>>;
}

/** One page of a list, with a token when there are more. */
export type ListPage = z.infer<typeof listPage>;

/** Opens this part of the REST API (n8n 2.0.0 and 2.41.1). All methods throw as {@link Rest.call} does. */
export function openCatalogue({ send, call }: Rest): Catalogue {
	/** n8n 2.0 rewrites these files after each installation, and serves them half written. */
	const readTypes = async (path: string): Promise<TypeDescription[]> =>
		await waitFor(`all of ${path}`, TYPES_LIMIT_MS, async () => {
			const response = await send('GET', path);
			if (!response.ok) throw new Error(`n8n answered ${response.status} to ${path}.`);
			const types: unknown = await response.json().catch(() => undefined);
			return types === undefined ? undefined : z.array(typeDescription).parse(types);
		});
	const requestBody = ({ node, parameter, method, parameters, credential }: ListParameter) => ({
		nodeTypeAndVersion: { name: node, version: 1 },
		path: `parameters.${parameter}`,
		methodName: method,
		currentNodeParameters: parameters ?? {},
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
			return await readTypes('/types/nodes.json');
		},
		async credentialTypes() {
			return await readTypes('/types/credentials.json');
		},
		async search(parameter, filter, paginationToken) {
			return await call(listPage, 'POST', '/dynamic-node-parameters/resource-locator-results', {
				...requestBody(parameter),
				filter,
				paginationToken,
			});
		},
		async options(parameter) {
			return await call(
				options,
				'POST',
				'/dynamic-node-parameters/options',
				requestBody(parameter),
			);
		},
	};
}
