import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { matchesFilter } from '../../shared/pickers/entries';

/** Lists the time zones that the runtime knows, in the form Area/City (contract: timezone). */
export async function searchTimezones(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const zones = Intl.supportedValuesOf('timeZone').map((name) => ({ name, value: name }));
	return await Promise.resolve({ results: zones.filter(matchesFilter(filter)) });
}
