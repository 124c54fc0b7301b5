import { returnAllOrLimit } from '../common/returnAllOrLimit';

export const fields = returnAllOrLimit;
