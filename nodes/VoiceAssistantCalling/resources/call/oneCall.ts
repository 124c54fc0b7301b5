import { MAX_PER_PAGE } from '../../../shared/client/pages';
import { required } from '../../../shared/pickers/locator';
import type { Field, OperationRequest } from '../../fields/routing';
import type { OneOfList } from '../operation';
import { callLocator } from './callLocator';

/** Picks one call. */
export const callField: Field = required(callLocator);

/** The list of calls grows without end, so only this many pages are read for one call. */
const MAX_PAGES = 20;

/** public-service: GET `/user/calls/{id}`; S1, S2, S4b, S7. The contract has only the list. */
export const oneCallRequest: OperationRequest = {
	method: 'GET',
	url: `=/user/calls/{{$parameter.${callField.name}}}`,
};

export const oneCall: OneOfList = {
	idField: callField.name,
	listPath: '/user/calls',
	notFound: 'Call not found',
	nextStep:
		'Check the ID, and the dates under Options. The account has no such call, or not on these days.',
	// A webhook can come before the record; it names the ID.
	comesLate: true,
	bound: {
		maxPages: MAX_PAGES,
		nextStep: `It is not among the ${(MAX_PAGES * MAX_PER_PAGE).toLocaleString('en')} calls that were read. Check the ID, or add 'From Date' and 'To Date' under Options with the day of the call.`,
	},
};
