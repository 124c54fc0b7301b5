import { assistantLocator } from '../../../shared/assistants/locators';
import type { Field } from '../../fields/routing';
import { outputFields } from '../common/output';

export const fields: Field[] = [{ ...assistantLocator, required: true }, ...outputFields];
