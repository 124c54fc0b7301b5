import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Values } from '../fields/fieldValues';
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

/** Makes the output of an operation from a record of the service, and the values of the fields. */
export type ToOutput = (record: IDataObject, values: Values) => IDataObject;

/** The record that an operation looks for in the list that its request reads. */
export interface OneOfList {
	/** The field with the ID of the record. */
	idField: string;
	/** The message when the list does not have the record. */
	notFound: string;
	/** How far to read, when the list can be long. */
	bound?: {
		maxPages: number;
		/** What to do when none of these pages has the record. */
		nextStep: string;
	};
}

/** A file that an operation downloads. */
export interface FileToDownload {
	/** An http or https address. The token is not sent to it. */
	url: string;
	/** Without an extension. */
	name: string;
	/** The field of the item that gets the file. */
	outputField: string;
	maxBytes: number;
	timeLimitMs: number;
}

/**
 * Tells which file an operation downloads, from a record of the service and the values of the fields.
 *
 * @throws {ServiceError} when the record names no file
 */
export type ToFile = (record: IDataObject, values: Values) => FileToDownload;
/**
 * Changes the body of a response, or makes one from a refusal that the user wants no failure for.
 *
 * @throws {ServiceError} the failure of the response, if it stays one
 */
export type HandleResponse = (
	response: Promise<IDataObject>,
	request: IHttpRequestOptions,
	values: Values,
) => Promise<IDataObject>;
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
	/** The operations whose output is not the record itself, by the operation's value. */
	toOutput?: Record<string, ToOutput>;
	/** The operations that download a file, by the operation's value. */
	toFile?: Record<string, ToFile>;
	/** The operations that do not output each response as it is, by the operation's value. */
	handleResponse?: Record<string, HandleResponse>;
	/** The warnings after a run, by the operation's value. */
	hintsAfterRun?: Record<string, HintAfterRun>;
}
