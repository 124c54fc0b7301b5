import { asAssumed, differs, otherForm, type Check } from '../check.mts';
import { ASSISTANT_PATHS, assistantList, CAMPAIGN_PATHS, campaignList } from './lists.mts';

const listAssistantsPath: Check = {
	key: 'list-assistants-path',
	level: 'read',
	async run(run) {
		const [assumed = ''] = ASSISTANT_PATHS;
		const expected = `GET ${assumed}`;
		const list = await assistantList(run);
		if (list?.path === assumed) return asAssumed(expected);
		if (list) {
			return differs(expected, `GET ${list.path}`, {
				value: list.path,
				advice: `This package reads the list at ${assumed}: switch on Use Other List Paths in the credential, and set Assistant List Path to ${list.path}.`,
			});
		}
		return differs(expected, 'no list at the usual paths', {
			advice: `This package reads the list at ${assumed}: ask the provider for the path, switch on Use Other List Paths in the credential, and set Assistant List Path.`,
		});
	},
};

const listCampaignsPath: Check = {
	key: 'list-campaigns-path',
	level: 'read',
	async run(run) {
		const [asked = ''] = CAMPAIGN_PATHS;
		const expected = 'no list of campaigns';
		const list = await campaignList(run);
		if (!list) return asAssumed(expected, 'no list at the usual paths', 'likely');
		const [seen, value] = [`GET ${list.path}`, list.path];
		if (value === asked) {
			return otherForm(expected, seen, { value, advice: 'The picker of campaigns reads it.' });
		}
		const advice = `The picker of campaigns reads ${asked}: switch on Use Other List Paths in the credential, and set Campaign List Path to ${value}.`;
		return differs(expected, seen, { value, advice });
	},
};

export const PATH_CHECKS = [listAssistantsPath, listCampaignsPath];
