import { LIST_PATHS } from '../../../shared/lists/readList';
import { recordShapes } from '../../../shared/records/recordShapes';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import type { Operation } from '../operation';

/** public-service: Mid call tools; S1, S2, S12a, S7. */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many mid call tools',
	description: 'Retrieve a list of mid call tools with their parameters and headers',
	request: { method: 'GET', url: LIST_PATHS.tools },
	notInContract: { wayRound: 'Look at the tools in your account at the provider.' },
	record: recordShapes.tool,
	isWholeList: true,
	fields: returnAllOrLimit,
};
