import { resource } from '../resource';
import { downloadRecording } from './downloadRecording.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { respond } from './respond.operation';

export const call = resource({
	name: 'Call',
	operations: { downloadRecording, get, getAll, respond },
	default: 'getAll',
});
