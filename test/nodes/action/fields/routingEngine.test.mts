import { afterAll, expect, it } from '@jest/globals';
import { ExecuteContext, RoutingNode } from 'n8n-core';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nWith, type N8n } from '../../../support/n8n/n8n.mts';
import { startStubServer } from '../../../support/n8n/stubServer.mts';
import { created, pageOf } from '../../../support/n8n/stubService.mts';
import { FILLED } from '../../../support/parity/requests.mts';
import { sampled } from '../../../support/sample.mts';

useDefaultEngine({ sharedCaller: true });
const RECORDING = '/1.mp3';
const server = await startStubServer(({ method, url }) => {
	if (url === RECORDING) return { headers: { 'Content-Type': 'audio/mpeg' }, body: 'sound' };
	const call = { id: 1, recording_url: server.origin + RECORDING };
	if (url.endsWith('/calls/1')) return { body: call };
	return { body: method === 'GET' ? pageOf([call]) : created() };
});
afterAll(() => server.close());

const credential = { baseUrl: `${server.origin}/api`, apiToken: 'token' };
const ours = n8nWith(credential);
const nodeType = ours.nodeType(ACTION);

/** The node as n8n's server runs a declarative one: with n8n's own routing engine. */
const declarative: INodeType = {
	...nodeType,
	async execute() {
		if (!(this instanceof ExecuteContext)) throw new Error('n8n runs nodes in an ExecuteContext');
		return (await new RoutingNode(this, nodeType).runNode()) ?? [];
	},
};
const theirs = n8nWith(credential, { [ACTION]: declarative });

/** Runs the node. @returns the one request that arrives */
async function getRequest(n8n: N8n, parameters: INodeParameters) {
	const { error } = await n8n.runNode({ parameters });
	expect(error).toBeUndefined();
	const requests = server.requests.splice(0).filter(({ url }) => url !== RECORDING);
	expect(requests).toHaveLength(1);
	return requests.map(({ method, url, authorization, body }) => {
		const { pathname, searchParams } = new URL(url, server.origin);
		return { method, pathname, query: Object.fromEntries(searchParams), authorization, body };
	})[0];
}

// n8n's engine cannot ask which names the provider uses.
const ONE_REQUEST = FILLED.filter(({ name }) => name !== 'assistant: update');

it.each(sampled(ONE_REQUEST, 4))(
	"n8n's own engine makes the runner's request from the description of $name",
	async ({ parameters, request: shown }) => {
		const { query: { page, per_page: perPage, ...query } = {}, ...request } =
			(await getRequest(ours, parameters)) ?? {};
		// Only the runner reads pages.
		const hasPages = shown.query?.page !== undefined;
		expect([page, perPage]).toEqual(hasPages ? ['1', expect.any(String)] : [undefined, undefined]);
		expect(await getRequest(theirs, parameters)).toEqual({ ...request, query });
	},
);
