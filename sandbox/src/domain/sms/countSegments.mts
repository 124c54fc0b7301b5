import { SegmentedMessage } from 'sms-segments-calculator';

/** How many segments an SMS has, by which it is charged. */
export const countSegments = (text: string): number => new SegmentedMessage(text).segmentsCount;
