import { resource } from '../resource';
import { deleteCall } from './delete.operation';
import { downloadRecording } from './downloadRecording.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { make } from './make.operation';
import { respond } from './respond.operation';

export const call = resource({
	name: 'Call',
	operations: { delete: deleteCall, downloadRecording, get, getAll, make, respond },
	default: 'getAll',
});
