import type { INodeProperties } from 'n8n-workflow';

import { assistant } from './assistant';
import { call } from './call';
import { campaign } from './campaign';
import { requestOptions } from './common/requestOptions';
import { lead } from './lead';
import { showFor, type Resource } from './resource';
import { sms } from './sms';
import { tool } from './tool';

const resources: Record<string, Resource> = { assistant, call, campaign, lead, sms, tool };

/**
 * The fields that the user fills in for an operation.
 *
 * @param resource the resource's value
 * @param operation the operation's value
 */
export const fieldsOf = (resource: string, operation: string): INodeProperties[] => [
	...(resources[resource]?.fields[operation] ?? []),
	requestOptions,
];

/** The operations of all resources and their fields, each shown where it applies. */
export const operationsAndFields: INodeProperties[] = [
	...Object.entries(resources).flatMap(([resource, { operation, fields }]) => [
		operation,
		...Object.entries(fields).flatMap(([name, list]) => showFor(resource, name, list)),
	]),
	requestOptions,
];
