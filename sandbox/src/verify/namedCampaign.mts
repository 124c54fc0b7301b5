import { campaignList } from './read/lists.mts';
import type { Row } from './read/page.mts';
import { observation, type Run } from './run.mts';
import { CannotCheck, NotRequested } from './stop.mts';
import { title } from './title.mts';

/**
 * The campaign that the user has named: its record, or only its ID where no list shows it.
 *
 * @throws {NotRequested} when none is named
 * @throws {CannotCheck} when a list has all campaigns but this one
 */
export const namedCampaign = observation(async (run): Promise<Row & { id: number }> => {
	const { campaignId: id } = run.target;
	if (id === undefined) throw new NotRequested('Name a stopped campaign: --campaign ID.');
	const list = await campaignList(run);
	const record = list?.page.rows.find((row) => Number(row['id']) === id);
	if (list && !record && list.page.fields['last_page'] === 1)
		throw new CannotCheck(`Campaign ${id} is not in the list ${list.path}. Check the ID.`);
	return { ...record, id };
});

/** Its ID and name, for the user. @throws as `namedCampaign` */
export const campaignTitle = async (run: Run): Promise<string> =>
	title('campaign', await namedCampaign(run));
