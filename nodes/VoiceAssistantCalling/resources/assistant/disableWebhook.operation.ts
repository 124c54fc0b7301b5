import { assistantInBody } from './fields';

export const fields = [assistantInBody];
