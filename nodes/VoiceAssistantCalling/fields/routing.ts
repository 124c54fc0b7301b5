import type {
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/** Changes a request that has the values of all fields. n8n's own engine calls such functions too. */
export type PreSend = (request: IHttpRequestOptions) => Promise<IHttpRequestOptions>;

/** Where a field goes in the request: the part of n8n's `routing` that this node's runner supports. */
export interface FieldRouting {
	send: {
		type?: 'body' | 'query';
		/** Name in the request. A dot leads into an object. */
		property?: string;
		preSend?: PreSend[];
	};
}

/** A field as n8n describes it, with the routing that the runner supports. */
export interface Field extends INodeProperties {
	routing?: FieldRouting;
	options?: Array<INodePropertyOptions | FieldGroup | Field>;
}

/** The fields of an entry in a list. */
export interface FieldGroup extends INodePropertyCollection {
	values: Field[];
}

/** The request that an operation makes. */
export interface OperationRequest {
	method: 'GET' | 'POST' | 'PUT';
	/**
	 * `{{$parameter.name}}` is the value of a field, `{{$credentials.name || "default"}}` a value of the
	 * credential.
	 */
	url: string;
	body?: IDataObject;
}

/** The body of a request as an object. */
export const bodyOf = ({ body }: IHttpRequestOptions): IDataObject => (body ?? {}) as IDataObject;
