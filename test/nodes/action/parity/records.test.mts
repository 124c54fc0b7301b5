import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { getOperation } from '../../../../nodes/VoiceAssistantCalling/resources/index.ts';
import { operationsWith, readPaths } from '../../../../scripts/generate/openapi.mts';
import { item, success } from '../../../../scripts/generate/previews.mts';
import { toShape } from '../../../../scripts/generate/recordShapes.mts';
import { OPERATIONS } from '../../../support/n8n/operations.mts';
import { root } from '../../../support/package.mts';

const paths = await readPaths(join(root, 'contract/openapi.yaml'));
const described = operationsWith(paths, ['get', 'post', 'put']);

/** The fields of a record that an operation does not complete: what the service leaves out is unknown. */
const UNKNOWN: Record<string, string[]> = {
	'assistant: getWebhookStatus': [
		'webhook_url',
		'inbound_webhook_url',
		'is_webhook_active',
		'tools',
	],
};

it.each(OPERATIONS)(
	'$name reads the record that the contract says',
	({ name, parameters, operationId }) => {
		const operation = described.find((each) => each.operationId === operationId);
		if (!operation) throw new Error(`The contract has no ${operationId}`);
		const { message, ...record } = toShape(item(success(operation)));
		const { record: shape } = getOperation(parameters.resource, parameters.operation);
		for (const field of UNKNOWN[name] ?? []) Object.assign(record[field] ?? {}, { optional: true });
		// A response without a record has only its message.
		expect(shape).toEqual(message === undefined ? record : undefined);
	},
);
