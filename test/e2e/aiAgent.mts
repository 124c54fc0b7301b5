import type { Checks } from '../support/checks.mts';
import { answers } from './aiAgent/answers.mts';
import { everyOperation } from './aiAgent/everyOperation.mts';
import { humanReview } from './aiAgent/humanReview.mts';
import { manyCalls } from './aiAgent/manyCalls.mts';
import type { E2eServers } from './testEnvironment.mts';

/** n8n's AI Agent with the action node as its tools. */
export async function aiAgent(checks: Checks, servers: E2eServers): Promise<void> {
	await answers(checks, servers);
	await everyOperation(checks, servers);
	await manyCalls(checks, servers);
	await humanReview(checks, servers);
}
