import { describe, expect, it } from '@jest/globals';
import type { INodeProperties } from 'n8n-workflow';

import { ACTION, TRIGGER } from '../../../../host/n8n/names.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';

const n8n = n8nWith({ baseUrl: '', apiToken: '' });

/** All resource locators of a node, also those in collections. */
const locatorsIn = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		...(property.type === 'resourceLocator' ? [property] : []),
		...locatorsIn(
			(property.options ?? []).flatMap((option) => {
				if ('values' in option) return option.values;
				return 'type' in option ? [option] : [];
			}),
		),
	]);

describe('the pickers', () => {
	// n8n 2.41 stops such an expression after 250 ms, before each execution. On a busy machine this failed
	// executions whose webhook request was already answered with 200.
	it.each([ACTION, TRIGGER])('of %s leave no regular expression to n8n', (name) => {
		const locators = locatorsIn(n8n.nodeType(name).description.properties);
		expect(locators.length).toBeGreaterThan(0);
		const modes = locators.flatMap((locator) => locator.modes ?? []);
		expect(modes.filter(({ validation, extractValue }) => validation ?? extractValue)).toEqual([]);
	});
});
