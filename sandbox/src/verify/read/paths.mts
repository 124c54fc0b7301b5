import { asAssumed, differs, otherForm, readCheck } from '../check.mts';
import { ASSISTANT_PATHS, assistantList, CAMPAIGN_PATHS, campaignList } from './lists.mts';

const [ASSUMED = ''] = ASSISTANT_PATHS;

const listAssistantsPath = readCheck(
	'list-assistants-path',
	`GET ${ASSUMED}`,
	async (run, expected) => {
		const list = await assistantList(run);
		if (list?.path === ASSUMED) return asAssumed(expected);
		if (list) {
			return differs(expected, `GET ${list.path}`, {
				value: list.path,
				advice: `This package reads the list at ${ASSUMED}: switch on Use Other List Paths in the credential, and set Assistant List Path to ${list.path}.`,
			});
		}
		return differs(expected, 'no list at the usual paths', {
			advice: `This package reads the list at ${ASSUMED}: ask the provider for the path, switch on Use Other List Paths in the credential, and set Assistant List Path.`,
		});
	},
);

const listCampaignsPath = readCheck(
	'list-campaigns-path',
	'no list of campaigns',
	async (run, expected) => {
		const [asked = ''] = CAMPAIGN_PATHS;
		const list = await campaignList(run);
		if (!list) return asAssumed(expected, 'no list at the usual paths', 'likely');
		const [seen, value] = [`GET ${list.path}`, list.path];
		if (value === asked) {
			return otherForm(expected, seen, { value, advice: 'The picker of campaigns reads it.' });
		}
		const advice = `The picker of campaigns reads ${asked}: switch on Use Other List Paths in the credential, and set Campaign List Path to ${value}.`;
		return differs(expected, seen, { value, advice });
	},
);

export const PATH_CHECKS = [listAssistantsPath, listCampaignsPath];
