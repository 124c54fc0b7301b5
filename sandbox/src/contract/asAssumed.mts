import { InvalidInput } from '../base/invalidInput.mts';
import type { Assumptions } from './assumptions.mts';

/** The assumptions that {@link asAssumed} puts into the contract. */
export const REQUEST_ASSUMPTIONS = ['list-assistants-path'] as const satisfies Array<
	keyof Assumptions
>;

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
	const { paths, ...others } = asFields(contract);
	return {
		...others,
		paths: moved(asFields(paths), ASSISTANTS, assumptions['list-assistants-path']),
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
