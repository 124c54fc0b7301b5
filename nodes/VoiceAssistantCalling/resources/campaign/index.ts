import { resource } from '../resource';
import { getAll } from './getAll.operation';
import { start } from './start.operation';
import { stop } from './stop.operation';

export const campaign = resource({
	name: 'Campaign',
	operations: { getAll, start, stop },
	default: 'start',
});
