import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

import { readContractFile } from '../contract/readContractFile.mts';
import { BASE_PATH } from '../http/pipeline.mts';
import { INSPECTOR } from './inspectorRoutes.mts';
import { HIDDEN } from './routeDescription.mts';

/** The page runs its own files only, and talks to this sandbox only. Swagger UI sets styles of elements. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'self'",
	"img-src 'self' data:",
	"style-src 'self' 'unsafe-inline'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join('; ');

/**
 * Adds the descriptions of the service and of the control API (OpenAPI 3.1), and a page that shows them
 * and sends requests: `/openapi.json`, `/control.json` and `/reference/`. Before the routes that are
 * described.
 *
 * @param path where `app` is, such as `/__sandbox`
 */
export async function addReference(app: FastifyInstance, path: string): Promise<void> {
	// A route checks what it takes, and says in its own words what is wrong.
	app.setValidatorCompiler(() => () => true);
	await app.register(fastifySwagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Control API of the sandbox',
				version: '1',
				description: 'Lets calls happen, moves the clock, and shows what happened.',
			},
			servers: [{ url: path }],
		},
	});
	// The links of the page are relative to its folder.
	app.addHook('onRequest', async (request, reply) =>
		request.url === `${path}/reference` ? reply.redirect(`${path}/reference/`, 303) : undefined,
	);
	const file = async (filename: string) => ({
		filename,
		content: await readFile(join(INSPECTOR, filename), 'utf8'),
	});
	await app.register(fastifySwaggerUi, {
		routePrefix: '/reference',
		theme: {
			title: 'Reference · Sandbox',
			js: [await file('reference.mjs')],
			css: [await file('reference.css')],
			favicon: [{ ...(await file('icon.svg')), rel: 'icon', type: 'image/svg+xml', sizes: 'any' }],
		},
		staticCSP: CONTENT_SECURITY_POLICY,
		uiConfig: {
			urls: [
				{ url: `${path}/openapi.json`, name: 'The service' },
				{ url: `${path}/control.json`, name: 'The control API' },
			],
			// It would be asked on the internet.
			validatorUrl: null,
			tryItOutEnabled: true,
			persistAuthorization: true,
		},
	});
	app.get('/control.json', HIDDEN, () => app.swagger());
	app.get('/openapi.json', HIDDEN, async () => {
		const contract = (await readContractFile('openapi.yaml')) as object;
		return { ...contract, servers: [{ url: BASE_PATH }] };
	});
}
