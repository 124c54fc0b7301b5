import { campaignField } from './fields';

export const fields = [campaignField()];
