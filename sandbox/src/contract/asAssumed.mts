import { InvalidInput } from '../base/invalidInput.mts';
import type { Assumptions } from './assumptions.mts';
import { CALL_STATUSES } from './statuses.mts';

/** The assumptions that {@link asAssumed} puts into the contract. */
export const REQUEST_ASSUMPTIONS = [
	'list-assistants-path',
	'largest-page',
	'call-status-names',
	'lead-duplicates',
] as const satisfies Array<keyof Assumptions>;

interface Fields {
	[name: string]: unknown;
}

/** Gives another value in place of an object of the contract. */
type Change = (given: Fields) => Fields;

const ASSISTANTS = '/user/assistants/get';
const CALLS = '/user/calls';

/**
 * The contract with the paths, limits and defaults of requests that are assumed.
 *
 * @param contract contract/openapi.yaml
 */
export function asAssumed(contract: unknown, assumptions: Assumptions): unknown {
	const changes: Array<[path: string[], change: Change]> = [
		...[ASSISTANTS, CALLS].map((path): [string[], Change] => [
			['paths', path, 'get', 'parameters', 'per_page', 'schema'],
			withLargestPage(assumptions['largest-page']),
		]),
		[
			['paths', CALLS, 'get', 'parameters', 'status', 'schema'],
			() => ({ type: 'string', enum: statusNames(assumptions) }),
		],
		[
			['components', 'schemas', 'LeadCreate', 'properties', 'allow_dupplicate'],
			(schema) => ({ ...schema, default: assumptions['lead-duplicates'] === 'allowed' }),
		],
		[['paths'], (paths) => moved(paths, ASSISTANTS, assumptions['list-assistants-path'])],
	];
	return changes.reduce((whole, [path, change]) => changed(whole, path, change), contract);
}

const statusNames = ({ 'call-status-names': names }: Assumptions): string[] =>
	CALL_STATUSES.map((status) => names[status] ?? status);

const withLargestPage =
	({ size, above }: Assumptions['largest-page']): Change =>
	(schema) => ({
		...schema,
		default: Math.min(Number(schema['default']), size),
		maximum: above === 'refused' ? size : undefined,
	});

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

/** A copy in which the object at `path` is changed. A step into a list is the name of its item. */
function changed(value: unknown, [step, ...rest]: string[], change: Change): unknown {
	if (step === undefined) return change(asFields(value));
	if (Array.isArray(value)) {
		return value.map((item: unknown) =>
			asFields(item)['name'] === step ? changed(item, rest, change) : item,
		);
	}
	const fields = asFields(value);
	return { ...fields, [step]: changed(fields[step], rest, change) };
}

const asFields = (value: unknown): Fields =>
	typeof value === 'object' && value !== null ? { ...value } : {};
