import type { IHttpRequestOptions } from 'n8n-workflow';

import { isOn } from '../../shared/fields/booleans';
import type { Values } from '../fields/fieldValues';
import type { Operation, OperationWithFreeRequest } from '../resources/operation';
import type { Account } from './accounts';
import type { ItemDetails } from './itemErrorTexts';

/** An item whose request is built. */
export interface BuiltItem {
	index: number;
	operation: Operation | OperationWithFreeRequest;
	account: Account;
	/** Of the operation's fields. */
	values: Values;
	request: IHttpRequestOptions;
	details: ItemDetails;
	/** Names the item in all executions that try the same one again; undefined when none is. */
	retryKey?: string;
}

/** Whether the user wants several records of a list. */
export const wantsMany = ({ values }: Pick<BuiltItem, 'values'>): boolean =>
	isOn(values.returnAll) || 'limit' in values;
