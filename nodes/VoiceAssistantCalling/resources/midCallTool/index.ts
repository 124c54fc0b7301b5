import { resource } from '../resource';
import { create } from './create.operation';
import { deleteTool } from './delete.operation';
import { respond } from './respond.operation';
import { update } from './update.operation';

export const midCallTool = resource({
	name: 'Mid Call Tool',
	operations: { create, delete: deleteTool, respond, update },
	default: 'create',
});
