import { resource } from '../resource';
import { getAll } from './getAll.operation';

export const phoneNumber = resource({
	name: 'Phone Number',
	operations: { getAll },
	default: 'getAll',
});
