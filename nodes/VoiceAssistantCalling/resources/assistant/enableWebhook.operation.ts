import { assistantLocator } from '../../../shared/assistants/locators';
import { webhookUrl } from './fields';

/** The assistant's ID is in the URL, because the request is an update of the assistant. */
export const fields = [{ ...assistantLocator, required: true }, webhookUrl];
