import type {
	GenericValue,
	INodeProperties,
	INodePropertyRouting,
	NodeParameterValueType,
} from 'n8n-workflow';
import { ACTION } from '../../host/names.mts';
import { n8nWith, NODE_NAME } from './n8n.mts';
import { ANY_KEY, valuesIn } from './parity-contract.mts';

/** Keys and texts that nothing else in a request can be mistaken for. */
const TEXTS = ['77001', '77002'];
const KEY = 'probe';

/** Values that a user may give a field: at least two, so that what arrives can be traced back to it. */
export function probes({ type, options, typeOptions }: INodeProperties): NodeParameterValueType[] {
	const values = (options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	if (type === 'options' && values.length > 0) return values;
	if (type === 'boolean') return [true, false];
	if (type === 'number') return [typeOptions?.minValue ?? 1, typeOptions?.maxValue ?? 2];
	if (type === 'json') return ['1', '2'].map((value) => `{"${KEY}":${value}}`);
	if (type === 'dateTime') return ['2031-02-03T04:05:06', '2032-03-04T05:06:07'];
	return TEXTS;
}

/** What arrives in the request, and where: named as a place of the contract. */
export interface Arrival {
	place: string;
	values: unknown[];
}

const workflow = n8nWith({ baseUrl: '', apiToken: '' }).workflow({
	nodes: [{ name: NODE_NAME, type: ACTION }],
	connections: {},
});
const [node] = Object.values(workflow.nodes);

/** n8n's own evaluation of what a routing makes of a value. */
function evaluate(expression: string, $value: GenericValue): unknown {
	if (!node) throw new Error('The workflow has no node');
	return workflow.expression.getSimpleParameterValue(node, expression, 'internal', { $value });
}

/** A key that the user chose stands for any. */
const withAnyKey = (place: string) =>
	place
		.split('.')
		.map((key) => ([KEY, ...TEXTS].includes(key) ? ANY_KEY : key))
		.join('.');

/**
 * Traces where a routing sends a field's value: to the places of the request that differ when the value
 * does. So nothing has to be known about how an expression is written.
 *
 * @param routing of the field
 * @param values what the field may hold, see {@link probes}
 */
export function traced(
	routing: INodePropertyRouting | undefined,
	values: GenericValue[],
): Arrival[] {
	const { type, property, value = '={{ $value }}' } = routing?.send ?? {};
	if (!type || !property) return [];
	const wires = values.map(
		(given) => new Map(valuesIn(evaluate(value, given), `${type}.${property}`)),
	);
	return [...new Set(wires.flatMap((wire) => [...wire.keys()]))].flatMap((place) => {
		const arrived = wires.map((wire) => wire.get(place));
		const isItsOwn = new Set(arrived.map((answer) => JSON.stringify(answer))).size > 1;
		const values = arrived.filter((answer) => answer !== undefined);
		return isItsOwn ? [{ place: withAnyKey(place), values }] : [];
	});
}
