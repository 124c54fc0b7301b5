import { resource } from '../resource';
import { create } from './create.operation';
import { update } from './update.operation';

export const lead = resource({
	name: 'Lead',
	operations: { create, update },
	default: 'create',
});
