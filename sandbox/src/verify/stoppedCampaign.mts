import { isObject } from './describe.mts';
import { isAccepted } from './outcome.mts';
import { namedCampaign } from './namedCampaign.mts';
import { observation } from './run.mts';
import { CannotCheck } from './stop.mts';

/** Statuses of a campaign that calls nobody (assumption: campaign-status). */
const STOPPED = ['draft', 'stopped'];

/**
 * The campaign that the user has named, which calls nobody. The list of campaigns may say so. Otherwise
 * the user has to, and then the service: it is asked to stop the campaign.
 *
 * @throws {CannotCheck} when it is not known to be stopped, and as `namedCampaign`
 */
export const stoppedCampaign = observation(async (run): Promise<number> => {
	const { client, questions } = run;
	const { id, status } = await namedCampaign(run);
	if (typeof status === 'string' && STOPPED.includes(status)) return id;
	if (typeof status === 'string') {
		throw new CannotCheck(`Campaign ${id} is not shown as stopped. Stop it, or name another one.`);
	}
	questions.tell(
		`Nothing shows whether campaign ${id} is stopped. It must call nobody, so the service is told to stop it.`,
	);
	const isWanted = await questions.confirm(`May campaign ${id} be stopped?`);
	if (!isWanted) throw new CannotCheck('The campaign is not known to be stopped.');
	const response = await client.write('POST', '/user/campaigns/update-status', {
		campaign_id: id,
		action: 'stop',
	});
	const isRefused = isObject(response.body) && response.body['success'] === false;
	if (isAccepted(response) && !isRefused) return id;
	throw new CannotCheck(`The service did not stop campaign ${id} (${response.status}).`);
});
