import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field, OperationRequest } from '../fields/routing';

/** An operation in n8n's list, with the request that it makes. */
export interface OperationOption extends INodePropertyOptions {
	routing: { request: OperationRequest };
}

/** A resource of the service as the node shows it. */
export interface Resource {
	/** The list of its operations. */
	operation: Omit<Field, 'options'> & { options: OperationOption[] };
	/** The fields of each operation, by the operation's value. */
	fields: Record<string, Field[]>;
}
