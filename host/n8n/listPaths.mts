/** The fields of the credential for a provider that has its lists at other paths. */
export interface ListPaths {
	assistantListPath?: string;
	campaignListPath?: string;
}

/** Where the nodes look for the list of campaigns, which the contract does not show. */
export const CAMPAIGN_LIST_PATH = '/user/campaigns';

/**
 * Where a provider has its lists, for the credential.
 *
 * @param assume what differs at the provider: values by the keys of contract/assumptions.yaml
 * @returns undefined when it has them where the nodes look, or has no such list
 */
export function listPaths(assume: { [key: string]: unknown }): ListPaths | undefined {
	const { 'list-assistants-path': assistants, 'list-campaigns-path': campaigns } = assume;
	const paths = {
		...(typeof assistants === 'string' && { assistantListPath: assistants }),
		...(typeof campaigns === 'string' &&
			campaigns !== CAMPAIGN_LIST_PATH && { campaignListPath: campaigns }),
	};
	return Object.keys(paths).length > 0 ? paths : undefined;
}
