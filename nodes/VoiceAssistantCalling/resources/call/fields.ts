import { dateRange } from '../common/dateRange';

export const { fromDate, toDate } = dateRange('calls');
