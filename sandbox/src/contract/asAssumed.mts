import { InvalidInput } from '../base/invalidInput.mts';
import type { Assumptions } from './assumptions.mts';
import { listCampaigns } from './campaignList.mts';

/** The assumptions that {@link asAssumed} puts into the contract. */
export const REQUEST_ASSUMPTIONS = [
	'list-campaigns-path',
	'list-assistants-path',
] as const satisfies Array<keyof Assumptions>;

interface Fields {
	[name: string]: unknown;
}

const ASSISTANTS = '/user/assistants/get';

/**
 * The contract with the paths that are assumed.
 *
 * @param contract contract/openapi.yaml
 */
export function asAssumed(contract: unknown, assumptions: Assumptions): unknown {
	const campaigns = assumptions['list-campaigns-path'];
	const { paths, ...others } = asFields(contract);
	const withAssistants = moved(asFields(paths), ASSISTANTS, assumptions['list-assistants-path']);
	return {
		...others,
		paths: campaigns === null ? withAssistants : withList(withAssistants, campaigns, listCampaigns),
	};
}

function moved(paths: Fields, from: string, to: string): Fields {
	const { [from]: list, ...others } = paths;
	return withList(others, to, asFields(list)['get']);
}

/** @throws {InvalidInput} when another operation has this path */
function withList(paths: Fields, path: string, list: unknown): Fields {
	const others = asFields(paths[path]);
	if ('get' in others) {
		throw new InvalidInput(`Another operation is GET ${path}. Give the list another path.`);
	}
	return { ...paths, [path]: { ...others, get: list } };
}

const asFields = (value: unknown): Fields =>
	typeof value === 'object' && value !== null ? { ...value } : {};
