import { createHash } from 'node:crypto';

/** What is stored or compared in place of a text: 64 hexadecimal digits. */
export const toHash = (text: string): string => createHash('sha256').update(text).digest('hex');
