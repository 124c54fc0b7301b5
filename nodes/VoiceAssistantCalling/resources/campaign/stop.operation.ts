import { campaignId } from './fields';

export const fields = [campaignId];
