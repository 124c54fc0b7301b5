import { assistantLocator } from '../common/locators';
import { sendNumber } from '../common/send';

export const fields = [
	{ ...assistantLocator, required: true, routing: sendNumber('assistant_id') },
];
