import { resource } from '../resource';
import { sendRequest } from './sendRequest.operation';

export const customApiCall = resource({
	name: 'Custom API Call',
	operations: { sendRequest },
	default: 'sendRequest',
});
