import { toolLocator } from '../../../shared/assistants/assistantLocators';
import { deletion } from '../common/deletion';

export const deleteTool = deletion({
	action: 'Delete mid call tool',
	description:
		'Delete a mid call tool, which detaches it from all assistants. This cannot be undone.',
	field: toolLocator,
	path: '/user/tools',
	notFound: 'Tool not found',
	wayRound: 'Delete the tool in your account at the provider.',
});
