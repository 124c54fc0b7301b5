import { resource } from '../resource';
import { deleteCall } from './delete.operation';
import { downloadRecording } from './downloadRecording.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { make } from './make.operation';

export const call = resource({
	name: 'Call',
	operations: { delete: deleteCall, downloadRecording, get, getAll, make },
	default: 'getAll',
});
