import { argv } from 'node:process';
import { verifyReversible } from './changes.mts';

/** Runs the level in a process that can be killed. */
const [, , baseUrl = '', folder = ''] = argv;
await verifyReversible({ baseUrl, folder });
