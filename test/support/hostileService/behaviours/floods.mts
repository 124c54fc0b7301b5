import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';

import type { Behaviour } from './behaviour.mts';

/** Above what a client may read of one response. */
const FLOOD_BYTES = 400_000_000;

const PIECE_BYTES = 1_000_000;

/** Packed to a twentieth: much more would fit into the buffers of a connection, unseen. */
const PACKED = deflateRawSync(
	Buffer.concat([randomBytes(PIECE_BYTES / 20), Buffer.alloc((PIECE_BYTES * 19) / 20)]),
	{ finishFlush: constants.Z_FULL_FLUSH },
);
const GZIP_HEAD = Buffer.from('1f8b08000000000000ff', 'hex');

/** Bodies that fill the memory. */
export const floods: Behaviour[] = [
	{
		name: 'a body without end',
		handler: ({ response, flood }) => {
			response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"data":[],"m":"');
			flood(Buffer.alloc(PIECE_BYTES, 'x'), FLOOD_BYTES);
		},
		isHeavy: true,
	},
	{
		name: 'a gzip bomb',
		handler: ({ response, flood }) => {
			const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
			response.writeHead(200, headers).write(GZIP_HEAD);
			flood(PACKED, FLOOD_BYTES, PIECE_BYTES);
		},
		isHeavy: true,
	},
];
