import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field, OperationRequest } from '../fields/routing';

/** An operation in n8n's list, with its request. */
interface OperationOption extends INodePropertyOptions {
	routing: { request: OperationRequest };
}

/** A resource of the node. */
export interface Resource {
	/** The field *Operation*. */
	operation: Omit<Field, 'options'> & { options: OperationOption[] };
	/** The fields of each operation, by the operation's value. */
	fields: Record<string, Field[]>;
}
