import { assistantTitle } from '../namedAssistant.mts';
import { campaignTitle } from '../namedCampaign.mts';
import { observation } from '../run.mts';
import { CannotCheck } from '../stop.mts';

const NEEDED = 'Name at least one of --assistant and --campaign.';

/** What the level costs, for the user. */
function costs(assistant: string | undefined, campaign: string | undefined): string[] {
	const ofAssistant = [
		`The webhooks of ${assistant} are changed for some seconds. What a call that ends meanwhile would tell them is lost.`,
		`A tool is created, and ${assistant} has it for some seconds beside its own. The tool itself remains: no request deletes it. If the service cannot take a tool away, the assistant keeps it.`,
	];
	const ofCampaign = `To ${campaign}, a lead is added with a number that is reserved for films, and a second one if duplicates are allowed. They remain: no request deletes them. They are set to completed, so that a later start does not call them. If no list shows that it is stopped, you are asked whether it may be stopped.`;
	return [
		...(assistant === undefined ? [] : ofAssistant),
		...(campaign === undefined ? [] : [ofCampaign]),
	];
}

/**
 * Asks once in a run whether something may be changed.
 *
 * @throws {CannotCheck} without a yes, and when the assistant or the campaign is not found
 * @throws {Stop} when an earlier change is not restored
 */
export const requireConsent = observation(async (run) => {
	const { target, questions, undoLog } = run;
	const { assistantId, campaignId } = target;
	if (assistantId === undefined && campaignId === undefined) throw new CannotCheck(NEEDED);
	undoLog.requireNothingLeft();
	const assistant = assistantId === undefined ? undefined : await assistantTitle(run);
	const campaign = campaignId === undefined ? undefined : await campaignTitle(run);
	const lines = costs(assistant, campaign);
	lines.forEach((line) => questions.tell(line));
	questions.tell(
		'For each change, a command that undoes it is printed first. You need it only if this program ends before it has done so.',
	);
	const isWanted = await questions.confirm('Everything else is restored. Change this account?');
	if (!isWanted) throw new CannotCheck('Nobody said yes, so nothing was changed.');
});
