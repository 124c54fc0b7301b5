import type { IDataObject } from 'n8n-workflow';

import { getLocatorValue } from '../../../shared/fields/values';
import { required } from '../../../shared/pickers/locator';
import { toNumber } from '../../../shared/values/conversions';
import type { Field } from '../../fields/routing';
import type { Operation } from '../operation';

/** What differs between operations that delete a record. */
interface Deletion extends Pick<Operation, 'action' | 'description'> {
	/** Picks the record. */
	field: Field;
	/** Of the records of this kind. */
	path: string;
	notFound: string;
	wayRound: string;
}

/** In sight while the node is open. *Dry Run* is gone after a change of operation, as n8n keeps no options then. */
const CANNOT_BE_UNDONE =
	"Deleting cannot be undone. 'Options → Dry Run' shows the request without sending it.";

/** Makes an operation that deletes one record, which cannot be undone. */
export const deletion = ({ field, path, notFound, wayRound, ...texts }: Deletion): Operation => ({
	name: 'Delete',
	...texts,
	request: { method: 'DELETE', url: `=${path}/{{$parameter.${field.name}}}` },
	notInContract: { notFound, wayRound },
	cannotBeUndone: true,
	fields: [{ ...required(field), hint: CANNOT_BE_UNDONE }],
	output: {
		toItem: (answer, values) => ({
			deleted: true,
			id: toNumber(getLocatorValue(values[field.name]) as IDataObject[string]),
			...answer,
		}),
		added: { deleted: { type: 'boolean' }, id: { type: 'integer' } },
	},
});
