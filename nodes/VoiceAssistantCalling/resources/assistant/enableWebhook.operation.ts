import { assistantLocator } from '../../../shared/assistants/locators';
import { webhookUrl } from './fields';

/** The assistant's id is part of the address: this is an update of the assistant. */
export const fields = [{ ...assistantLocator, required: true }, webhookUrl];
