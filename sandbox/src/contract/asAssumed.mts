import { InvalidInput } from '../base/invalidInput.mts';
import type { Assumptions } from './assumptions.mts';

/** The keys of contract/newer.yaml. */
const NEWER = [
	...(['assistant-fields', 'assistant-tools', 'tool-fields'] as const),
	...(['lead-statuses', 'sms-record'] as const),
] satisfies Array<keyof Assumptions>;

/** The assumptions that {@link asAssumed} puts into the contract. */
export const CONTRACT_ASSUMPTIONS = ['list-assistants-path', ...NEWER] as const satisfies Array<
	keyof Assumptions
>;

interface Fields {
	[name: string]: unknown;
}

const ASSISTANTS = '/user/assistants/get';

/**
 * The contract with the paths and the schemas that are assumed.
 *
 * @param contract contract/openapi.yaml
 * @param newer contract/newer.yaml
 */
export function asAssumed(contract: unknown, newer: unknown, assumptions: Assumptions): unknown {
	const { paths, components, ...others } = asFields(contract);
	const { schemas, ...otherComponents } = asFields(components);
	const replaced = NEWER.filter((key) => assumptions[key] === 'newer').map((key) =>
		asFields(asFields(newer)[key]),
	);
	return {
		...others,
		paths: moved(asFields(paths), ASSISTANTS, assumptions['list-assistants-path']),
		components: {
			...otherComponents,
			schemas: Object.assign(asFields(schemas), ...replaced) as Fields,
		},
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
