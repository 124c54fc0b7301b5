import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/** A picker without routing: each node adds its own. */
export type Locator = Omit<INodeProperties, 'routing' | 'options'>;

/** How the user enters a value that the list does not show. */
type EntryMode = Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder' | 'hint'>;

interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** Name of the method that fills the list. */
	searchListMethod: string;
	/** What the list shows. n8n shows it under the field. */
	listHint?: string;
	/** Differs from *By ID*, or adds a hint. */
	entryMode?: Partial<EntryMode>;
}

// No `validation`: n8n 2.41 runs it before each execution and stops it after 250 ms. On a busy machine
// that fails the execution, and its event is lost. The node checks the ID when it runs.
const BY_ID: EntryMode = { displayName: 'By ID', name: 'id', placeholder: 'e.g. 42' };

const LONG_LIST_MS = 5_000;

/**
 * A field that must not be empty. The description of a picker says so, because AI builders take a field
 * whose default is an object for one that may be left out (@n8n/workflow-sdk 0.34.0).
 */
export function required<Field extends INodeProperties | Locator>(
	field: Field,
	description = field.description ?? '',
) {
	const isPicker = field.type === 'resourceLocator';
	const words = isPicker ? `Required. ${description.replace(/\.$/, '')}.` : description;
	return { ...field, required: true, description: words };
}

/** Picks a record from a list, or takes its ID. */
export function locator({ searchListMethod, listHint, ...texts }: LocatorTexts): Locator {
	const { entryMode, ...field } = texts;
	const entry = { ...BY_ID, ...entryMode };
	// n8n 2.0 does not show it.
	const message = `A long list takes some seconds. You can also choose '${entry.displayName}'.`;
	return {
		...field,
		type: 'resourceLocator',
		default: { __rl: true, mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				hint: listHint,
				typeOptions: {
					searchListMethod,
					searchable: true,
					slowLoadNotice: { message, timeout: LONG_LIST_MS },
				},
			},
			{ ...entry, type: 'string' },
		],
	};
}
