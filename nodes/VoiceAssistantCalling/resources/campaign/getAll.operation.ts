import { LIST_PATHS } from '../../../shared/lists/readList';
import { recordShapes } from '../../../shared/records/recordShapes';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import type { Operation } from '../operation';

/** public-service: GET `/user/campaigns`; S1, S2, S12a, S4, S7. */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many campaigns',
	description: 'Retrieve a list of campaigns with their statuses',
	request: { method: 'GET', url: LIST_PATHS.campaigns },
	notInContract: {
		wayRound: 'Look at the campaigns in your account at the provider.',
	},
	record: recordShapes.campaign,
	isWholeList: true,
	fields: returnAllOrLimit,
};
