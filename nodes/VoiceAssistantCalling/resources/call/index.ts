import { resource } from '../resource';
import { downloadRecording } from './downloadRecording.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const call = resource({
	name: 'Call',
	operations: { downloadRecording, get, getAll },
	default: 'getAll',
});
