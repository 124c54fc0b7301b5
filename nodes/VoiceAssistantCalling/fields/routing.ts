import type { IDataObject, IHttpRequestOptions, INodePropertyOptions } from 'n8n-workflow';

import type { RuledField, RuledFieldGroup } from '../../shared/fields/textRule';

/** What a {@link PreSend} function can ask. n8n's own engine gives an object that can do more. */
export interface SendContext {
	getNodeParameter(name: string, fallback: unknown): unknown;
	getCredentials(type: string): Promise<Record<string, unknown>>;
}

/** Changes a request that has the values of all fields. n8n's own engine calls such functions too. */
export type PreSend = (
	this: SendContext,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** Where a field goes in the request: the part of n8n's `routing` that this node's runner supports. */
export interface FieldRouting {
	send: {
		type?: 'body' | 'query';
		/** Name in the request. A dot leads into an object. */
		property?: string;
		preSend?: PreSend[];
	};
}

/**
 * The default of a hidden field that holds the JSON of the item. n8n's own engine evaluates it. The runner
 * takes the item itself, because an expression copies the item out of an isolate (n8n.md#cost-of-an-expression).
 */
export const INPUT_ITEM = '={{ $json }}';

/** A field as n8n describes it, with the routing that the runner supports. */
export interface Field extends RuledField {
	routing?: FieldRouting;
	entries?: Field[];
	options?: Array<INodePropertyOptions | FieldGroup | Field>;
}

/** The fields of an entry in a list. */
export interface FieldGroup extends RuledFieldGroup {
	values: Field[];
}

/** The request that an operation makes. */
export interface OperationRequest {
	method: 'DELETE' | 'GET' | 'POST' | 'PUT';
	/**
	 * `{{$parameter.name}}` is the value of a field, `{{$credentials.name || "default"}}` a value of the
	 * credential.
	 */
	url: string;
	body?: IDataObject;
}

/** The body of a request as an object. */
export const getBody = ({ body }: IHttpRequestOptions): IDataObject => (body ?? {}) as IDataObject;
