import { campaignId } from './campaignId';

export const fields = [campaignId];
