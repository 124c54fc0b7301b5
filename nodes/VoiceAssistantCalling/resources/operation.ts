import type {
	IDataObject,
	IDisplayOptions,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Endpoint } from '../../shared/client/credential';
import type { ParseResponse } from '../../shared/client/response';
import type { RecordShape } from '../../shared/records/fieldShape';
import type { Values } from '../fields/fieldValues';
import type { Field, OperationRequest } from '../fields/routing';
import type { NotInContract } from './notInContract';
import type { Encoding } from './sms/countSegments';

/** The type of a value, as n8n's editor reads it from a JSON Schema. */
export interface ValueType {
	type: string | string[];
	properties?: Record<string, ValueType>;
	items?: ValueType;
}

/** What an operation outputs for a record of the service. */
export interface Output {
	/** Makes an item from a record and the values of the fields. Without it, the record is the item. */
	toItem?: (record: IDataObject, values: Values) => IDataObject;
	/** The fields of an item, unless it has all fields of the record. The output preview shows them. */
	fields?: string[];
	/** The types of the fields that a record of the service does not have. */
	added?: Record<string, ValueType>;
}

/** The record that an operation looks for in a list. */
export interface OneOfList {
	/** The field with the ID of the record. */
	idField: string;
	/** Where the list is, when the request is for the record alone. Providers without it have the list. */
	listPath?: string;
	/** The message when the list does not have the record. */
	notFound: string;
	/** What to do then. */
	nextStep: string;
	/** Whether the service may name the ID of a record some seconds before it shows the record. */
	comesLate?: true;
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
	/** Of the service. Only where it is private, a redirect may lead to a private address. */
	baseUrl: string;
	/** Without an extension. */
	name: string;
	/** The field of the item that gets the file. */
	outputField: string;
	maxBytes: number;
	timeLimitMs: number;
	/** Whether the file may still be on its way to its address. */
	mayComeLate: boolean;
}

/**
 * Tells which file an operation downloads, from a record of the service and the values of the fields.
 *
 * @throws {ServiceError} when the record names no file
 */
export type ToFile = (record: IDataObject, values: Values, endpoint: Endpoint) => FileToDownload;

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

/** What the run does for an item whose operation decides itself what to send. */
export interface ItemExchange {
	/** Differs for each account. It contains the token, so it must stay in memory. */
	accountKey: string;
	endpoint: Endpoint;
	/** Of the operation. */
	fields: Field[];
	/** Sends the request of the item, or one in its place. */
	send: Ask;
	/** Sends a request that changes nothing: the item counts as not sent. */
	ask: Ask;
	/** Reads a list, or a page of one. */
	read: (url: string, qs: IDataObject, parseResponse: ParseResponse) => Promise<IDataObject>;
	/** Makes something once for all items of the account. */
	share: <T>(name: string, make: () => Promise<T>) => Promise<T>;
	/** Runs when all items have ended. Its text becomes a hint. */
	afterRun: (check: () => Promise<string | undefined>) => void;
}

type Ask = (
	request: IHttpRequestOptions,
	handleResponse?: (response: Promise<IDataObject>) => Promise<IDataObject>,
) => Promise<IDataObject>;

/** Sends an item. @throws {DescribedError} when it failed */
export type SendItem = (
	request: IHttpRequestOptions,
	exchange: ItemExchange,
) => Promise<IDataObject>;

/**
 * Builds the request of an item whose method and path the user chooses.
 *
 * @param values of the operation's fields, checked by checkFields.ts
 * @throws {InvalidInput} that names the wrong field
 */
export type ToRequest = (values: Values, endpoint: Endpoint) => IHttpRequestOptions;

/** Makes the items of an operation from the body of a response. */
export type ToItems = (body: IDataObject, values: Values) => IDataObject[];

/** What a run of an operation did. */
interface FinishedRun {
	/** The outputs of the items that succeeded. */
	outputs: IDataObject[];
	/** 0 for the first run of the node in an execution; a loop runs it again. */
	runIndex: number;
}

/** A warning about a run that succeeded; undefined when there is nothing to say. */
export type HintAfterRun = (run: FinishedRun) => string | undefined;

/** Tells what a request costs, for people and, of an SMS, for the workflow. */
export type GetCost = (
	body: IDataObject,
	method: IHttpRequestMethods,
) => { cost: string; segments?: number } & Partial<Encoding>;

/** What n8n shows of an operation. */
interface Description {
	/** In the list of the resource's operations. */
	name: string;
	/** In n8n's list of all actions, and for AI agents. */
	action: string;
	description: string;
	/** Where the list does not have the operation. */
	displayOptions?: IDisplayOptions;
	/** In the order of the screen. */
	fields: Field[];
}

/** What an operation that sends requests to the service can do with their responses. */
interface SendingOperation extends Description {
	/** The record of the responses in the contract. Without it, the body stays as the service sends it. */
	record?: RecordShape;
	/** Only for an operation that some providers may lack. Its description says so. */
	notInContract?: NotInContract;
	/** Whether the list comes as a whole: its request names no page (public-service: page-envelope). */
	isWholeList?: true;
	/** Without it, any body but a JSON object is a failure. */
	parseResponse?: ParseResponse;
	/** Without it, a response gives one item: its record, or its message. Pages give their records. */
	toItems?: ToItems;
	/** Whether a record of a list is one that the user means. Without it, all are. */
	isListed?: (record: IDataObject) => boolean;
	/** Without it, the output is the record of the response, or its message. */
	output?: Output;
	/** Only for an operation that reads a list for one of its records. */
	oneOfList?: OneOfList;
	/** Only for an operation that downloads a file. */
	toFile?: ToFile;
	handleResponse?: HandleResponse;
	/** Only for an operation that needs further requests. It cannot have `getCost`. */
	sendItem?: SendItem;
	hintAfterRun?: HintAfterRun;
	/** Only for an operation that costs money. It gets the options of spendingOptions.ts. */
	getCost?: GetCost;
	/** Whether a request deletes. It gets the options of spendingOptions.ts that hold back a whole run. */
	cannotBeUndone?: true;
	/** Whether a request names the people that it reaches, so that *Do Not Call* can hold it back. */
	reachesPeople?: true;
}

/** An operation that sends a request to the service for each item. */
export interface Operation extends SendingOperation {
	request: OperationRequest;
}

/**
 * An operation whose request the user writes. Method and path are free, so no description can say them
 * (docs/decisions/0001-a-runner-of-our-own.md).
 */
export interface OperationWithFreeRequest extends SendingOperation {
	toRequest: ToRequest;
}

/**
 * Carries out an operation that sends nothing to the service, once for all items of a run.
 *
 * @throws {InvalidInput} when the fields are wrong
 */
export type ExecuteInN8n = (context: IExecuteFunctions) => Promise<void>;

/** An operation that sends nothing to the service. */
export interface OperationInN8n extends Description {
	executeInN8n: ExecuteInN8n;
}
