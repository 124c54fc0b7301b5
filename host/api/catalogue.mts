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
const optionValue = z.union([z.string(), z.number(), z.boolean()]);
const options = z.array(z.object({ name: z.string(), value: optionValue }));

/** A node or credential type as n8n describes it to its editor. */
export type TypeDescription = z.infer<typeof typeDescription>;

interface ListParameter {
	/** full name of the node type */
	node: string;
	parameter: string;
	/** of the node, for the list */
	method: string;
	parameters?: Record<string, unknown>;
	credential: CredentialRef;
}

export type Catalogue = ReturnType<typeof openCatalogue>;

/** Opens this part of the REST API (n8n 2.0.0 and 2.41.1). All methods throw as {@link Rest.call} does. */
export function openCatalogue({ send, call }: Rest) {
	/** n8n 2.0 rewrites these files after each installation, and serves them half written. */
	const readTypes = async (path: string): Promise<TypeDescription[]> =>
		await waitFor(`all of ${path}`, TYPES_LIMIT_MS, async () => {
			const response = await send('GET', path);
			if (!response.ok) throw new Error(`n8n responded to ${path} with ${response.status}.`);
			const types: unknown = await response.json().catch(() => undefined);
			return types === undefined ? undefined : z.array(typeDescription).parse(types);
		});
	return {
		/** Installs a community package, as *Settings → Community nodes* does. */
		async install(name: string, version: string) {
			const body = { name, version, verify: false };
			return await call(installed, 'POST', '/community-packages', body);
		},

		/** Replaces an installed package by another version. */
		async update(name: string, version: string) {
			return await call(installed, 'PATCH', '/community-packages', { name, version });
		},

		async uninstall(name: string): Promise<void> {
			const path = `/community-packages?name=${encodeURIComponent(name)}`;
			const response = await send('DELETE', `/rest${path}`);
			if (!response.ok) throw new Error(`n8n responded to DELETE ${path} with ${response.status}.`);
		},

		installed: async () => await call(z.array(installed), 'GET', '/community-packages'),

		nodeTypes: async () => await readTypes('/types/nodes.json'),

		credentialTypes: async () => await readTypes('/types/credentials.json'),

		/** One page of what a resource locator lists for a text in its search field. */
		async search(
			{ node, parameter, method, parameters, credential }: ListParameter,
			filter?: string,
		) {
			const body = {
				nodeTypeAndVersion: { name: node, version: 1 },
				path: `parameters.${parameter}`,
				methodName: method,
				currentNodeParameters: parameters ?? {},
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
				filter,
			};
			const path = '/dynamic-node-parameters/resource-locator-results';
			return (await call(z.object({ results: options }), 'POST', path, body)).results;
		},
	};
}
