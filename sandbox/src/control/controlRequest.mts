import type { FastifyRequest } from 'fastify';

import type { Faults } from '../faults/faults.mts';
import { parseBody, requireJson } from '../http/body.mts';
import type { Journal } from '../http/journal.mts';
import type { SandboxEngine } from '../runtime/engine.mts';
import type { Scheduler } from '../runtime/scheduler.mts';

export interface ControlDependencies {
	engine: SandboxEngine;
	scheduler: Scheduler;
	faults: Faults;
	journal: Journal;
	reset: () => Promise<void>;
	/** Goes back to a snapshot. */
	restore: (name: string) => Promise<void>;
	/** Aborts when the sandbox closes. */
	closing: AbortSignal;
	/** Who has it may control the sandbox; undefined: whoever is on this machine. */
	controlToken: string | undefined;
}

/** Begins the message about an invalid request. */
export const INVALID = 'The request is invalid';

/**
 * The body of a control request, which may come without one.
 *
 * @throws {ApiError} 415 or 400 when it is no JSON
 */
export function readBody({ body, headers }: FastifyRequest): unknown {
	const hasBody = Buffer.isBuffer(body) && body.length > 0;
	return hasBody ? requireJson(parseBody(body), headers['content-type']) : {};
}
