import { parseArgs } from 'node:util';

import type { Host } from '../../host/n8n/installN8n.mts';
import { runChecks } from '../support/checks.mts';
import { chosenParts } from '../support/chosenParts.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { accountPerItem } from './accountPerItem.mts';
import { assistantGenerations } from './assistantGenerations.mts';
import { everyOperation } from './aiAgent/everyOperation.mts';
import { humanReview } from './aiAgent/humanReview.mts';
import { credentialAtNextStart, credentialTest, refusedHost } from './credential.mts';
import { deliveries } from './deliveries.mts';
import { developing } from './developing.mts';
import { durableScheduler } from './durableScheduler.mts';
import { httpRequestNode } from './httpRequest.mts';
import { inboundQuestion } from './inboundQuestion.mts';
import { installation, uninstallation } from './installation.mts';
import { killed } from './killed.mts';
import { listening } from './listening.mts';
import { longRetry } from './longRetry.mts';
import { toolAnswers } from './midCallTool/answers.mts';
import { toolBadRequests } from './midCallTool/badRequests.mts';
import { toolListening } from './midCallTool/listening.mts';
import { toolsBesideOthers } from './midCallTool/otherTools.mts';
import { toolRegistration } from './midCallTool/registration.mts';
import { toolRequestsAtOnce } from './midCallTool/requestsAtOnce.mts';
import { n8nUpdate } from './n8nUpdate.mts';
import { neverMissACall } from './neverMissACall.mts';
import { once } from './once.mts';
import { restart } from './restart.mts';
import { settingByExpression } from './settingByExpression.mts';
import { startE2eServers, withCredentials } from './testEnvironment.mts';
import { refusedPublish, triggers } from './triggers.mts';
import { upgrade } from './upgrade.mts';
import { values } from './values.mts';

/** They run alone, because they read n8n's log, measure time, or send many requests. */
const FIRST = {
	credentialTest,
	credentialAtNextStart,
	toolAnswers,
	inboundQuestion,
	deliveries,
	toolBadRequests,
};
/** They mostly wait: for the service, for the ticks of polls, and for n8n 2.41, which tries to publish for 15 s. */
const REFUSALS = { refusedPublish, settingByExpression, toolsBesideOthers };
/**
 * They wait the longest, so they run each night. What they show of the nodes, `test/nodes/` shows for each change
 * with a clock that is turned, fewer items, and an emulation of n8n; here it is n8n itself.
 */
const NIGHTLY = { durableScheduler, longRetry };
const BESIDE = {
	httpRequestNode,
	values,
	assistantGenerations,
	accountPerItem,
	listening,
	toolListening,
	toolRegistration,
	everyOperation,
	humanReview,
	triggers,
};
/** They stop n8n, or remove the package. */
const LAST = {
	refusedHost,
	toolRequestsAtOnce,
	once,
	restart,
	neverMissACall,
	killed,
	uninstallation,
	upgrade,
	n8nUpdate,
	developing,
};

const DAILY = Object.keys({ ...FIRST, ...REFUSALS, ...BESIDE, ...LAST });

/** What the supported versions of n8n do in different ways: webhooks, publishing, expressions, kills, updates. */
const DIFFERENT = Object.keys({
	...{
		credentialTest,
		toolAnswers,
		inboundQuestion,
		deliveries,
		settingByExpression,
		refusedPublish,
	},
	...{ values, accountPerItem, listening, toolListening, toolRegistration, triggers },
	...{ toolsBesideOthers },
	...{
		everyOperation,
		toolRequestsAtOnce,
		once,
		restart,
		killed,
		uninstallation,
		upgrade,
		n8nUpdate,
	},
});

const { host, words } = readOptions();
const run = chosenParts(words, FIRST, NIGHTLY, REFUSALS, BESIDE, LAST);

await runChecks(async (checks) => {
	await requireN8n(checks, host);
	const servers = await checks.require('a new n8n starts', async () => {
		return await startE2eServers(checks, host);
	});
	await installation(servers);
	const environment = await withCredentials(servers);
	await run(FIRST, environment);
	await Promise.all(
		[NIGHTLY, REFUSALS, BESIDE].map(async (group) => await run(group, environment)),
	);
	await run(LAST, environment);
});

function readOptions(): { host: Host; words: string[] } {
	const { values: options, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			n8n: { type: 'string', default: 'current' },
			// What runs for each change: without what waits the longest; on the oldest n8n, only what is DIFFERENT.
			quick: { type: 'boolean', default: false },
		},
	});
	if (options.n8n === 'current' || options.n8n === 'oldest') {
		const names = options.n8n === 'oldest' ? DIFFERENT : DAILY;
		if (options.quick && positionals.length > 0)
			throw new Error('--quick chooses the parts itself.');
		return { host: options.n8n, words: options.quick ? names : positionals };
	}
	throw new Error(`--n8n is current or oldest, not ${options.n8n}.`);
}
