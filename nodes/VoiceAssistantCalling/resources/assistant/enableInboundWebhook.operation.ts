import { assistantInBody, webhookUrl } from './fields';

export const fields = [assistantInBody, webhookUrl];
