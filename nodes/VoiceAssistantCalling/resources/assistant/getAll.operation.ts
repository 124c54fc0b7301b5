import { outputFields } from '../common/output';
import { returnAllOrLimit } from '../common/returnAllOrLimit';

export const fields = [...returnAllOrLimit, ...outputFields];
