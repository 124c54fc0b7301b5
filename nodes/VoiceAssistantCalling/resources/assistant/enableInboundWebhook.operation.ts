import { assistantLocator } from '../../../shared/locators';
import { sendNumber } from '../common/send';
import { webhookUrl } from './webhookUrl';

export const fields = [
	{ ...assistantLocator, required: true, routing: sendNumber('assistant_id') },
	webhookUrl,
];
