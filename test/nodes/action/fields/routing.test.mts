import { describe, expect, it } from '@jest/globals';
import { VoiceAssistantCalling } from '../../../../nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.ts';

/**
 * The description uses only the part of n8n's routing that the runner supports. n8n's engine would execute
 * the rest, and the runner would ignore it.
 */
const { description } = new VoiceAssistantCalling();

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of the description, or a value that a field offers: they can have a routing in n8n. */
interface Part {
	/** The names on the way to it: `filters/options/status/options/busy`. */
	path: string;
	part: Record<string, unknown>;
}

function partsIn(value: unknown, prefix = ''): Part[] {
	if (Array.isArray(value)) return value.flatMap((inner) => partsIn(inner, prefix));
	if (!isRecord(value)) return [];
	const path = prefix + String(value.name);
	const inside = ['options', 'values'].flatMap((key) => partsIn(value[key], `${path}/${key}/`));
	return [{ path, part: value }, ...inside];
}

/** The paths of an object: `send.property`. Lists and functions are leaves. */
const namesIn = (value: unknown, prefix = ''): string[] =>
	isRecord(value) && Object.keys(value).length > 0
		? Object.entries(value).flatMap(([key, inner]) => namesIn(inner, `${prefix}${key}.`))
		: [prefix.slice(0, -1)];

/** The routing that the runner supports: of an operation, of a field, and none in the entry of a list. */
function supportedRouting({ path, part }: Part): RegExp {
	if (/^operation\/options\/[^/]+$/.test(path)) return /^request\.(method|url|body\.\w+)$/;
	const isField = 'type' in part && !path.includes('/values/');
	return isField ? /^send\.(type|property|preSend)$/ : /^$/;
}

const parts = partsIn(description.properties);

describe('the routing of the description', () => {
	it('is supported by the runner', () => {
		const routings = parts.filter(({ part }) => part.routing !== undefined);
		expect(routings.length).toBeGreaterThan(100);
		const unsupported = routings.flatMap((each) =>
			namesIn(each.part.routing)
				.filter((name) => !supportedRouting(each).test(name))
				.map((name) => `${each.path}: ${name}`),
		);
		expect(unsupported).toEqual([]);
		expect(Object.keys(description)).not.toContain('requestOperations');
	});

	it('hides no field by a condition that the runner does not read', () => {
		const conditions = parts.flatMap(({ path, part: { displayOptions } }) =>
			isRecord(displayOptions) ? namesIn(displayOptions).map((name) => `${path}: ${name}`) : [],
		);
		const known =
			/: (show\.(resource|operation|returnAll|output|method|respondTo|@tool|\w+Mode)|hide\.(@tool|returnAll))$/;
		expect(conditions).not.toEqual([]);
		expect(conditions.filter((condition) => !known.test(condition))).toEqual([]);
	});
});
