import { CredentialTestContext } from 'n8n-core';

import { ACTION, CREDENTIAL_TYPE } from '../../../../host/n8n/names.mts';
import type { listSearch } from '../../../../nodes/VoiceAssistantCalling/methods/listSearch.ts';
import { operationNamed, OPERATIONS, type OperationCase } from '../../n8n/operations.mts';
import { packageNodeTypes } from '../../n8n/package.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';
import {
	n8nAt,
	observeOutcome,
	PATIENCE_MS,
	readLimitMs,
	SECOND,
	type Subject,
} from './subject.mts';

/** *Timeout* of the operations. */
const TIMEOUT_MS = 3 * SECOND;

/** A write, a list, and the search for a record in a list. */
const TYPICAL = ['lead: create', 'call: getAll', 'assistant: get'];

const operation = ({ name, parameters }: Pick<OperationCase, 'name' | 'parameters'>): Subject => ({
	name,
	type: ACTION,
	isTypical: TYPICAL.includes(name),
	limitMs: readLimitMs(TIMEOUT_MS),
	patienceMs: PATIENCE_MS,
	prepare: (server) => {
		const requestOptions = { timeout: TIMEOUT_MS };
		const n8n = n8nAt(server);
		return Promise.resolve(async () => {
			const { output, error, run } = await n8n.runNode({
				parameters: { ...parameters, requestOptions },
				settings: { onError: 'continueErrorOutput' },
			});
			const [failed] = output[1];
			return { thrown: error, shown: failed?.json.error, stored: run.data.resultData };
		});
	},
});

/** Requests that the user writes: one that reads, and one that writes. */
const CUSTOM = [
	{ name: 'GET', parameters: { path: '/user/calls', fullResponse: true } },
	{
		name: 'POST',
		parameters: {
			method: 'POST',
			path: '/user/sms',
			body: '{"from": 1, "to": "+49", "body": "Hi"}',
		},
	},
].map(({ name, parameters }) =>
	operation({
		name: `customApiCall: ${name}`,
		parameters: { resource: 'customApiCall', operation: 'sendRequest', ...parameters },
	}),
);

const download = operationNamed('call: downloadRecording');

/** The service is as always, and the host of its recordings is hostile. */
const recording: Subject = {
	...operation({
		...download,
		parameters: { ...download.parameters, options: { timeLimit: 3, maxFileSize: 1 } },
	}),
	name: 'the recording of call: downloadRecording',
	isTypical: true,
	isHit: ({ url }) => url.startsWith('/recordings'),
	mayLeave: true,
};

/** The names of the node's methods. */
const getMethods = (kind: 'listSearch' | 'credentialTest') =>
	Object.keys(packageNodeTypes.get(ACTION)?.methods?.[kind] ?? {});

/** How long a request of a picker may take. */
const PICKER_TIMEOUT_MS = 30 * SECOND;

const picker = (method: string): Subject => ({
	name: method,
	type: ACTION,
	isTypical: method === 'searchAssistants',
	// Some read two lists.
	limitMs: 2 * readLimitMs(PICKER_TIMEOUT_MS),
	prepare: (server) => {
		const n8n = n8nAt(server);
		const name = method as keyof typeof listSearch;
		// Nothing matches, so it reads as much as it may.
		return Promise.resolve(() => observeOutcome(() => n8n.listSearch(name, { filter: 'zzz' })));
	},
});

const credentialTest = (method: string): Subject => ({
	name: method,
	type: ACTION,
	isTypical: true,
	limitMs: 20 * SECOND,
	prepare: (server) => {
		const test = packageNodeTypes.get(ACTION)?.methods?.credentialTest?.[method];
		const data = { baseUrl: server.url, apiToken: ALICE };
		const credential = { id: '1', name: 'Service', type: CREDENTIAL_TYPE, data };
		return Promise.resolve(async () => {
			const result = () => Promise.resolve(test?.call(new CredentialTestContext(), credential));
			const { thrown, stored } = await observeOutcome(result);
			return { thrown, shown: stored };
		});
	},
});

/** Everything of the action node. */
export const ACTION_SUBJECTS: Subject[] = [
	...OPERATIONS.map(operation),
	...CUSTOM,
	recording,
	...getMethods('listSearch').map(picker),
	...getMethods('credentialTest').map(credentialTest),
];
