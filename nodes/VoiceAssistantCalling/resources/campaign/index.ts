import { resource } from '../resource';
import { start } from './start.operation';
import { stop } from './stop.operation';

export const campaign = resource({
	name: 'Campaign',
	operations: { start, stop },
	default: 'start',
});
