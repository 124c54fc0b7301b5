import { outputFields } from '../common/output';
import { returnAllOrLimit } from '../common/returnAllOrLimit';

export const fields = [...returnAllOrLimit, ...outputFields];

export { assistantOutput as toOutput } from './assistantOutput';
