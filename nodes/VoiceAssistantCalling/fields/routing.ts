import type {
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/** Changes a request after all fields have been put into it; n8n's engine calls it in the same way. */
export type PreSend = (request: IHttpRequestOptions) => Promise<IHttpRequestOptions>;

/** How a field goes into the request: what this node's runner knows of n8n's `routing`. */
export interface FieldRouting {
	send: {
		type?: 'body' | 'query';
		/** Name on the wire; a dot leads into an object. */
		property?: string;
		preSend?: PreSend[];
	};
}

/** A field as n8n describes it, with the routing that the runner knows. */
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
	/** `={{$parameter.name}}` is replaced by the field of that name, `$credentials` by the credential's. */
	url: string;
	body?: IDataObject;
}

/** The body of a request as an object. */
export const bodyOf = ({ body }: IHttpRequestOptions): IDataObject => (body ?? {}) as IDataObject;
