import { observation } from '../run.mts';
import { CannotCheck } from '../stop.mts';

const NEEDED = 'Name at least one of --assistant and --campaign.';

/** What the level costs, for the user. */
function costs(assistantId: number | undefined, campaignId: number | undefined): string[] {
	const assistant = [
		`The webhooks of assistant ${assistantId} are changed for some seconds. What a call that ends meanwhile would tell them is lost.`,
		`A tool is created, and assistant ${assistantId} has it for some seconds beside its own. The tool itself remains: no request deletes it. If the service cannot take a tool away, the assistant keeps it.`,
	];
	const campaign = `Campaign ${campaignId} gets a lead with a number that is reserved for films, and a second one if duplicates are allowed. They remain: no request deletes them. They are set to completed, so that a later start does not call them.`;
	return [
		...(assistantId === undefined ? [] : assistant),
		...(campaignId === undefined ? [] : [campaign]),
	];
}

/**
 * Asks once in a run whether something may be changed.
 *
 * @throws {CannotCheck} without a yes
 * @throws {Stop} when an earlier change is not restored
 */
export const requireConsent = observation(async ({ target, questions, undoLog }) => {
	const { assistantId, campaignId } = target;
	const lines = costs(assistantId, campaignId);
	if (lines.length === 0) throw new CannotCheck(NEEDED);
	undoLog.requireNothingLeft();
	lines.forEach((line) => questions.tell(line));
	const isWanted = await questions.confirm('Everything else is restored. Change this account?');
	if (!isWanted) throw new CannotCheck('You did not agree. Nothing was changed.');
});
