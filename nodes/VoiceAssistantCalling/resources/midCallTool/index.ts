import { resource } from '../resource';
import { create } from './create.operation';
import { deleteTool } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

export const midCallTool = resource({
	name: 'Mid Call Tool',
	operations: { create, delete: deleteTool, get, getAll, update },
	default: 'create',
});
