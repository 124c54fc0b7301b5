import type { Field } from '../../fields/routing';
import { outputFields } from '../common/output';
import { assistantField } from './oneAssistant';

export const fields: Field[] = [assistantField, ...outputFields];

export { assistantOutput as toOutput } from './assistantOutput';
export { oneAssistant as oneOfList } from './oneAssistant';
