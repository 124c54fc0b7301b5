import { assistantLocator } from '../../../shared/locators';
import { webhookUrl } from './webhookUrl';

/** The assistant's id stands in the address: this is an update of the assistant. */
export const fields = [{ ...assistantLocator, required: true }, webhookUrl];
