import { campaignField } from './fields';

export const fields = [campaignField('The campaign calls its leads, which costs money')];
