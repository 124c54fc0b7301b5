import { deletion } from '../common/deletion';
import { leadId } from './fields';

export const deleteLead = deletion({
	action: 'Delete lead',
	description: 'Delete a lead with its secondary contacts. This cannot be undone.',
	field: leadId,
	path: '/user/leads',
	notFound: 'Lead not found',
	wayRound:
		"Set the Status to Completed with 'Lead → Update' to end its calls, or delete it in your account at the provider.",
});
