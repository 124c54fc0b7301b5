import { NodeHelpers, type INodeTypeDescription } from 'n8n-workflow';
import { valuesIn } from '../support/parity/contract.mts';
import type { ExampleNode } from './example.mts';

/**
 * The parameters that a node ignores: n8n keeps only those that the node type has and shows.
 *
 * @returns their paths, such as `parameters.additionalFields.name`
 */
export function strayParameters(
	{ parameters, typeVersion }: ExampleNode,
	description: INodeTypeDescription,
): string[] {
	const { properties } = description;
	const known = NodeHelpers.getNodeParameters(
		properties,
		structuredClone(parameters),
		true,
		false,
		{ typeVersion },
		description,
	);
	const toText = (value: [path: string, value: unknown]) => JSON.stringify(value);
	const kept = valuesIn(known, 'parameters').map(toText);
	return valuesIn(parameters, 'parameters')
		.filter((value) => !kept.includes(toText(value)))
		.map(([path]) => path);
}
