import { resource } from '../resource';
import { create } from './create.operation';
import { update } from './update.operation';

export const midCallTool = resource({
	name: 'Mid Call Tool',
	operations: { create, update },
	default: 'create',
});
