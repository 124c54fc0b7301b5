import type { Response } from './client.mts';
import { isObject } from './describe.mts';
import { isAccepted } from './outcome.mts';
import type { Row } from './read/page.mts';
import type { Run } from './run.mts';
import { CannotCheck } from './stop.mts';

export interface CreatedLead {
	/** Undefined when it was refused. */
	id: number | undefined;
	response: Response;
}

/** Fields of a lead that a request sends. */
interface LeadFields extends Row {
	campaign_id: number;
}

/**
 * Creates a lead. It remains, because no request deletes one; restoring sets it to `completed`.
 *
 * @throws {CannotCheck} when the answer does not name it
 */
export async function createLead(
	{ client, undoLog }: Run,
	fields: LeadFields,
): Promise<CreatedLead> {
	const creation = { kind: 'creation', what: `a lead of campaign ${fields.campaign_id}` } as const;
	await undoLog.add(creation);
	const response = await client.write('POST', '/user/lead', fields);
	if (!isAccepted(response)) {
		await undoLog.remove(creation);
		return { id: undefined, response };
	}
	const lead = isObject(response.body) ? response.body['data'] : undefined;
	const id = Number(isObject(lead) ? (lead['id'] ?? NaN) : NaN);
	if (!Number.isSafeInteger(id))
		throw new CannotCheck('The service created a lead and did not name it.');
	await undoLog.add({ kind: 'waiting lead', leadId: id });
	await undoLog.remove(creation);
	return { id, response };
}
