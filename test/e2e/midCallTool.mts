import type { Checks } from '../support/checks.mts';
import { answers } from './midCallTool/answers.mts';
import { badRequests } from './midCallTool/badRequests.mts';
import { listening } from './midCallTool/listening.mts';
import { registration } from './midCallTool/registration.mts';
import type { E2eServers } from './testEnvironment.mts';

/** Workflows that are tools of assistants. */
export async function midCallTool(checks: Checks, environment: E2eServers): Promise<void> {
	// Alone, because it reads n8n's log and measures time.
	await answers(checks, environment);
	await Promise.all([registration(checks, environment), listening(checks, environment)]);
	// Its many requests would slow down the others.
	await badRequests(checks, environment);
}
