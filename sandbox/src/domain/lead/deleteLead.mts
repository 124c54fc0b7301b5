import type { Handler } from '../context.mts';
import { addEvent, describeLead, leadSubjects } from '../events.mts';
import { requireOwned } from '../ownership.mts';

/** DELETE /user/leads/{id}: its secondary contacts go too (public-service.md: DELETE /user/leads/{id}, S1). */
export const deleteLead: Handler = (context, user, { id }) => {
	const { leads } = context.state;
	const lead = requireOwned('Lead', leads, id, user);
	for (const each of [lead, ...leads.select([['secondary_of', 'is', id]])]) {
		leads.delete(each.id);
		const text = `${describeLead(each)} was deleted.`;
		addEvent(context, { kind: 'lead-changed', text, ...leadSubjects(each) });
	}
	return { status: 200, body: { message: 'Lead deleted successfully' } };
};
