import { parseArgs } from 'node:util';

import { runChecks, type Checks } from '../support/checks.mts';
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
import { sandboxSpeed } from './sandboxSpeed.mts';
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
/** These need no n8n. They come before the others, when the machine has nothing else to do. */
const PARTS_WITHOUT_N8N = { sandbox: sandboxSpeed };
type Part = keyof typeof PARTS;
type PartWithoutN8n = keyof typeof PARTS_WITHOUT_N8N;
/** These say nothing with small numbers. */
const ONLY_IN_FULL: Part[] = ['silence', 'memory'];

const options = readOptions();

await runChecks(async (checks) => {
	const results = new Results();
	for (const part of options.partsWithoutN8n) {
		await PARTS_WITHOUT_N8N[part]({ ...options, checks, results });
	}
	if (options.parts.length > 0) await measureInN8n(checks, results);
	checks.cleanup.shutdownSignal.throwIfAborted();
	if (!options.quick) results.print();
});

async function measureInN8n(checks: Checks, results: Results): Promise<void> {
	await requireN8n(checks, 'current');
	const environment = await checks.require(
		'a new n8n starts',
		async () => await startBenchEnvironment(checks),
	);
	await checks.check('the responses of the bench service match the contract', async () => {
		await assertMatchesContract(environment.service);
	});
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
}

/** --quick: small numbers, one round, no table. --only leads --only memory: some parts. --rounds 1: not three. */
function readOptions(): {
	quick: boolean;
	rounds: number;
	parts: Part[];
	partsWithoutN8n: PartWithoutN8n[];
} {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string' },
			only: { type: 'string', multiple: true, default: [] },
		},
	});
	const { quick, only } = values;
	const names = Object.keys(PARTS) as Part[];
	const namesWithoutN8n = Object.keys(PARTS_WITHOUT_N8N) as PartWithoutN8n[];
	const all: string[] = [...namesWithoutN8n, ...names];
	const unknown = only.filter((name) => !all.includes(name));
	if (unknown.length > 0) {
		throw new Error(`--only takes ${all.join(', ')}; not ${unknown.join(', ')}.`);
	}
	const parts = names.filter((name) =>
		only.length > 0 ? only.includes(name) : !(quick && ONLY_IN_FULL.includes(name)),
	);
	const partsWithoutN8n = namesWithoutN8n.filter(
		(name) => only.length === 0 || only.includes(name),
	);
	return { quick, parts, partsWithoutN8n, rounds: Number(values.rounds ?? (quick ? 1 : 3)) };
}
