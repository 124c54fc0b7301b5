import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { getOperation } from '../../../../nodes/VoiceAssistantCalling/resources/index.ts';
import { operationsWith, readPaths } from '../../../../scripts/generate/openapi.mts';
import { item, success } from '../../../../scripts/generate/previews.mts';
import { toShape } from '../../../../scripts/generate/recordShapes.mts';
import { OPERATIONS } from '../../../support/n8n/operations.mts';
import { root } from '../../../support/package.mts';

const paths = await readPaths(join(root, 'contract/openapi.yaml'));
const described = operationsWith(paths, ['delete', 'get', 'post', 'put']);

it.each(OPERATIONS)(
	'$name reads the record that the contract says',
	({ parameters, operationId }) => {
		const operation = described.find((each) => each.operationId === operationId);
		if (!operation) throw new Error(`The contract has no ${operationId}`);
		const { message, ...record } = toShape(item(success(operation)));
		const { record: shape } = getOperation(parameters.resource, parameters.operation);
		// A response without a record has only its message.
		expect(shape).toEqual(message === undefined ? record : undefined);
	},
);
