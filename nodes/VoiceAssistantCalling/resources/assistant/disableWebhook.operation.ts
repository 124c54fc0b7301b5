import { assistantLocator } from '../../../shared/locators';
import { sendNumber } from '../common/send';

export const fields = [
	{ ...assistantLocator, required: true, routing: sendNumber('assistant_id') },
];
