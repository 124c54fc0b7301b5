import { resource } from '../resource';
import { send } from './send.operation';

export const sms = resource({
	name: 'SMS',
	operations: { send },
	default: 'send',
});
