import type { IDataObject, IExecuteFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Field, OperationRequest } from '../fields/routing';

/** An operation in n8n's list, with its request if it sends one to the service. */
interface OperationOption extends INodePropertyOptions {
	routing?: { request: OperationRequest };
}

/**
 * Carries out an operation that sends nothing to the service, once for all items of a run.
 *
 * @throws {InvalidInput} when the fields are wrong
 */
export type ExecuteInN8n = (context: IExecuteFunctions) => Promise<void>;

/** How an operation makes its output from one record of the list that its request reads. */
export interface OneOfList {
	/** The field with the ID of the record. */
	idField: string;
	/** The message when the list does not have the record. */
	notFound: string;
	toOutput: (record: IDataObject) => IDataObject;
}

/** What a run of an operation did. */
export interface FinishedRun {
	/** The outputs of the items that succeeded. */
	outputs: IDataObject[];
	/** 0 for the first run of the node in an execution; a loop runs it again. */
	runIndex: number;
}

/** A warning about a run that succeeded; undefined when there is nothing to say. */
export type HintAfterRun = (run: FinishedRun) => string | undefined;

/** A resource of the node. */
export interface Resource {
	/** The field *Operation*. */
	operation: Omit<Field, 'options'> & { options: OperationOption[] };
	/** The fields of each operation, by the operation's value. */
	fields: Record<string, Field[]>;
	/** The operations that send nothing to the service, by the operation's value. */
	inN8n?: Record<string, ExecuteInN8n>;
	/** The operations that read a list for one of its records, by the operation's value. */
	oneOfList?: Record<string, OneOfList>;
	/** The warnings after a run, by the operation's value. */
	hintsAfterRun?: Record<string, HintAfterRun>;
}
