import type { Purpose } from '../shared/webhook/identity';

const PURPOSE: Purpose = ['midCallTool'];

/** The trigger has one purpose, whatever its fields say: its requests come to one tool. */
export const purposeOf = (): Purpose => PURPOSE;
