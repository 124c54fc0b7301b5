import type {
	IDataObject,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { MAX_PER_PAGE, type ReadEnvelope } from './pages';
import { serviceRequest, type ServiceRequest } from './request';

/** A list that a picker or a trigger reads. */
interface ListRequest extends Omit<ServiceRequest, 'method' | 'qs' | 'body' | 'isList'> {
	/** Further parameters of the query. */
	filters?: IDataObject;
}

/**
 * Makes a function that reads a page of a list for a picker or a trigger. Pages count from 1, and have as
 * many records as the service allows.
 *
 * @returns a function that throws what {@link serviceRequest} throws
 */
export const pageReader =
	(
		context: IHookFunctions | ILoadOptionsFunctions | IPollFunctions,
		{ filters, ...request }: ListRequest,
	): ReadEnvelope =>
	async (page) => {
		const qs = { page, per_page: MAX_PER_PAGE, ...filters };
		return await serviceRequest(context, { ...request, method: 'GET', qs, isList: true });
	};
