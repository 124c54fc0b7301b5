import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** What a user chooses under *Resource*, and everything below it. */
export interface ResourceOperations {
	resource: INodePropertyOptions;
	operations: Array<{ operation: INodePropertyOptions; fields: INodeProperties[] }>;
}

const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

/** What a user can choose in a field. */
export const getChoices = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter(isChoice);

const isShownFor = ({ displayOptions }: INodeProperties, field: string, value: unknown): boolean =>
	(displayOptions?.show?.[field] as unknown[] | undefined)?.includes(value) ?? false;

/** The resources of a node with their operations, in the order of the screen. */
export function getOperations({ properties }: INodeTypeDescription): ResourceOperations[] {
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(getChoices);
	return resources.map((resource) => {
		const ofResource = properties.filter((field) => isShownFor(field, 'resource', resource.value));
		const operations = ofResource.filter(({ name }) => name === 'operation').flatMap(getChoices);
		return {
			resource,
			operations: operations.map((operation) => ({
				operation,
				fields: ofResource.filter((field) => isShownFor(field, 'operation', operation.value)),
			})),
		};
	});
}
