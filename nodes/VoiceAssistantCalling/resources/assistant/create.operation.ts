import type { INodeProperties } from 'n8n-workflow';

import { basics } from './basics';
import { settings } from './settings';

export const fields: INodeProperties[] = [
	...Object.values(basics).map((field) => ({ ...field, required: true })),
	...settings,
];
