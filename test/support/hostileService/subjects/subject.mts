import { n8nWith, type N8n } from '../../n8n/n8n.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';
import type { Service } from '../../../../sandbox/test/support/service.mts';
import type { HostileServer, ReceivedRequest } from '../hostileServer.mts';

/** How something of the package ended. */
export interface MeetingOutcome {
	/** What a function of the node threw. */
	thrown?: unknown;
	/** The `error` of the item that an operation gave for a failure, or of a credential's test. */
	shown?: unknown;
	/** The warnings in n8n's log. */
	logged?: string[];
	/** Everything else that a user sees, or that n8n stores. */
	stored?: unknown;
}

/**
 * What somebody who has time waits for the end of a rate limit that names none: 1, 2, 4 … 32 seconds, each
 * up to an eighth longer.
 */
export const PATIENCE_MS = 71_000;

/** Something of the package that sends requests to the service. */
export interface Subject {
	name: string;
	/** The node type. */
	type: string;
	/** How long it may take, in milliseconds. */
	limitMs: number;
	/** How much longer it may wait for the end of a rate limit that names no time. */
	patienceMs?: number;
	/** Which requests meet the hostile service; the service itself responds to others. Default: all. */
	isHit?: (request: ReceivedRequest) => boolean;
	/** How often it may send one write. Default: once. */
	writes?: number;
	/** It may go to other hosts, without the token. */
	mayLeave?: boolean;
	/** It stands for all that read responses in the same way. */
	isTypical?: boolean;
	/** Does what comes before, with the service as it is. @returns what is done with a hostile one */
	prepare: (server: HostileServer, service: Service) => Promise<() => Promise<MeetingOutcome>>;
}

export const SECOND = 1000;

/** How long a read may take: four tries, and the waits between them. */
export const readLimitMs = (timeoutMs: number): number => 4 * timeoutMs + 5 * SECOND;

/** An n8n whose credential is Alice's, at a hostile service. */
export const n8nAt = ({ url }: HostileServer): N8n => n8nWith({ baseUrl: url, apiToken: ALICE });

/** Runs a function of a node. */
export async function observeOutcome(work: () => Promise<unknown>): Promise<MeetingOutcome> {
	try {
		return { stored: await work() };
	} catch (thrown) {
		return { thrown };
	}
}

let workflows = 0;

/** The nodes remember what they did for a workflow, so each meeting has another one. */
export const newWorkflowId = (): string => `hostile-${(workflows += 1)}`;
