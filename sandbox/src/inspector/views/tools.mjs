import {
	address,
	body,
	facts,
	link,
	recordLink,
	recordLinks,
	SCHEMA_COLUMNS,
	shortMoment,
	table,
} from '../components.mjs';
import { listView } from '../listView.mjs';
import { html } from '../vendor/preact.js';

export const tools = listView({
	title: 'Tools',
	path: 'records/tools',
	label: 'Mid call tools, newest first',
	nothing: html`No tools yet. Make one with <strong>Mid Call Tool → Create</strong> of the node.`,
	columns: {
		Tool: ({ id, name }) => recordLink('tools', id, `${id} · ${name}`),
		Request: ({ method, endpoint }) => address(endpoint, method),
		Timeout: ({ timeout }) => `${timeout} s`,
		Description: ({ description }) => description,
		'Last change': (row, context) => shortMoment(row.updated_at, context),
	},
	page: (tool) => ({
		main: {
			Request: [
				facts({
					Method: tool.method,
					Address: address(tool.endpoint),
					Timeout: `${tool.timeout} s`,
					'When it is used': tool.description,
					Assistants: recordLinks('assistants', tool.assistants, ({ name }) => name),
				}),
				tool.headers.length > 0 && body('Headers (values are hidden)', tool.headers, false),
				html`<p>${link('tool-requests', { search: tool.name }, 'What it was asked')}</p>`,
			],
			Arguments: table('Arguments', tool.schema, SCHEMA_COLUMNS, 'None.'),
		},
	}),
});
