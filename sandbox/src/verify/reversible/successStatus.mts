import { asAssumed, differs, notChecked, type Check } from '../check.mts';
import { isAccepted } from '../outcome.mts';
import type { Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import { inboundWebhookSteps } from './inboundWebhook.mts';
import { leadSteps } from './lead.mts';

/** Statuses that the sandbox can have. */
const VALUES = [201, 202];

/** What a part of the level gives; undefined when it could not be made. */
async function ifMade<Seen>(measure: Promise<Seen>): Promise<Seen | undefined> {
	try {
		return await measure;
	} catch (error) {
		if (error instanceof CannotCheck) return undefined;
		throw error;
	}
}

/** The status of each accepted write for which the description names none. */
async function statuses(run: Run): Promise<number[]> {
	const webhook = await ifMade(inboundWebhookSteps(run));
	const lead = await ifMade(leadSteps(run));
	const accepted = [webhook, lead?.update].flatMap((each) =>
		each && isAccepted(each) ? [each.status] : [],
	);
	return [...new Set(accepted)];
}

const successStatus: Check = {
	key: 'success-status',
	level: 'reversible',
	async run(run) {
		const expected = 'status 200 where none is described';
		const [status, ...others] = await statuses(run);
		if (status === undefined) return notChecked(expected, 'No such write was accepted.');
		if (others.length > 0) return differs(expected, `status ${[status, ...others].join(' and ')}`);
		if (status === 200) return asAssumed(expected);
		return differs(expected, `status ${status}`, {
			...(VALUES.includes(status) && { value: status }),
			advice: 'The nodes take every 2xx for a success. There is nothing to do.',
		});
	},
};

export const SUCCESS_STATUS_CHECKS = [successStatus];
