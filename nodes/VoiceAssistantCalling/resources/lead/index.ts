import { resource } from '../resource';
import { create } from './create.operation';
import { deleteLead } from './delete.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

export const lead = resource({
	name: 'Lead',
	operations: { create, delete: deleteLead, getAll, update },
	default: 'create',
});
