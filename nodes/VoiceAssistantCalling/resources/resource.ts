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
	/** What to do then. */
	nextStep: string;
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

/** The parts of an operation. Its file exports those that it has. */
export interface OperationParts {
	/** In the order of the screen. */
	fields: Field[];
	/** Only for an operation that sends nothing to the service. */
	executeInN8n?: ExecuteInN8n;
	/** Only for an operation that reads a list for one of its records. */
	oneOfList?: OneOfList;
	/** Without it, the output is the record itself. */
	toOutput?: ToOutput;
	/** Only for an operation that downloads a file. */
	toFile?: ToFile;
	/** Without it, each response is output as it is. */
	handleResponse?: HandleResponse;
	hintAfterRun?: HintAfterRun;
}

/** A resource of the node. */
export interface Resource {
	/** The field *Operation*. */
	operation: Omit<Field, 'options'> & { options: OperationOption[] };
	/** By the value of *Operation*. */
	operations: Record<string, OperationParts>;
}
