import { deletion } from '../common/deletion';
import { callLocator } from './callLocator';

export const deleteCall = deletion({
	action: 'Delete call',
	description: 'Delete a call with its recording. This cannot be undone.',
	field: callLocator,
	path: '/user/calls',
	notFound: 'Call not found',
	wayRound: 'Delete the call in your account at the provider.',
});
