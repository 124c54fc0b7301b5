import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { list } from './callLists.mts';
import { deliveries } from './deliveries.mts';
import { startBenchEnvironment } from './environment.mts';
import { leads, memory, silence } from './leads.mts';
import { manyAssistants } from './manyAssistants.mts';
import { pickers } from './pickers.mts';
import { polls } from './polls.mts';
import { limit } from './rateLimit.mts';
import { recordings } from './recordings.mts';
import { records } from './records.mts';
import { Results } from './results.mts';
import { checkOf, type Round } from './round.mts';
import { assertMatchesContract } from './serviceContract.mts';
import { toolAnswers } from './toolAnswers.mts';

const PARTS = {
	leads,
	silence,
	limit,
	list,
	memory,
	records,
	recordings,
	pickers,
	trigger: deliveries,
	tool: toolAnswers,
	poll: polls,
	assistants: manyAssistants,
};
type Part = keyof typeof PARTS;
/** These say nothing with small numbers. */
const ONLY_IN_FULL: Part[] = ['silence', 'memory'];

const options = readOptions();

await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const environment = await checks.require(
		'a new n8n starts',
		async () => await startBenchEnvironment(checks),
	);
	await checks.check('the responses of the bench service match the contract', async () => {
		await assertMatchesContract(environment.service);
	});
	const results = new Results();
	for (let number = 1; number <= options.rounds; number += 1) {
		const label = options.rounds > 1 ? `round ${number}` : '';
		const check = checkOf(checks, label);
		const round: Round = { environment, results, quick: options.quick, check };
		// The last part of the round before changes n8n's settings.
		if (number > 1) await environment.restart();
		for (const part of options.parts) {
			checks.cleanup.shutdownSignal.throwIfAborted();
			await PARTS[part](round);
		}
	}
	checks.cleanup.shutdownSignal.throwIfAborted();
	if (!options.quick) results.print();
});

/** --quick: small numbers, one round, no table. --only leads --only memory: some parts. --rounds 1: not three. */
function readOptions(): { quick: boolean; rounds: number; parts: Part[] } {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string' },
			only: { type: 'string', multiple: true, default: [] },
		},
	});
	const { quick, only } = values;
	const names = Object.keys(PARTS) as Part[];
	const unknown = only.filter((name) => !names.some((part) => part === name));
	if (unknown.length > 0) {
		throw new Error(`--only takes ${names.join(', ')}; not ${unknown.join(', ')}.`);
	}
	const parts = names.filter((name) =>
		only.length > 0 ? only.includes(name) : !(quick && ONLY_IN_FULL.includes(name)),
	);
	return { quick, parts, rounds: Number(values.rounds ?? (quick ? 1 : 3)) };
}
