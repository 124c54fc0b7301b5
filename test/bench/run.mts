import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { chosenParts } from '../support/chosenParts.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { deliveries } from './deliveries.mts';
import { inboundQuestions } from './inboundQuestions.mts';
import { leads, limit, memory, silence } from './leads.mts';
import { list } from './lists.mts';
import { manyAssistants } from './manyAssistants.mts';
import { pickers } from './pickers.mts';
import { Results } from './results.mts';
import { startBenchEnvironment } from './round.mts';
import { toolAnswers } from './toolAnswers.mts';

/** The last resort: what a check waits for has shorter limits. */
const CHECK_LIMIT_MS = 25 * 60_000;

/** --quick: small numbers, one round, no table. --only leads --only memory: some parts. --rounds 1: not three. */
const { quick, only, rounds } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		rounds: { type: 'string' },
		only: { type: 'string', multiple: true, default: [] },
	},
}).values;

/** The last parts change n8n's settings. */
const PARTS = {
	leads,
	// With small numbers these two would say nothing.
	...(!quick && { silence, memory }),
	limit,
	list,
	pickers,
	assistants: manyAssistants,
	trigger: deliveries,
	tool: toolAnswers,
	question: inboundQuestions,
};
const runParts = chosenParts(only, PARTS);
const roundCount = Number(rounds ?? (quick ? 1 : 3));

await runChecks(async (checks) => {
	const results = new Results();
	await requireN8n(checks, 'current');
	const environment = await checks.require(
		'a new n8n starts',
		async () => await startBenchEnvironment(checks),
	);
	for (let number = 1; number <= roundCount; number += 1) {
		const check = async (name: string, work: () => Promise<void>): Promise<void> => {
			checks.cleanup.shutdownSignal.throwIfAborted();
			const label = roundCount > 1 ? `, round ${number}` : '';
			await checks.check(name + label, work, CHECK_LIMIT_MS);
		};
		if (number > 1) await environment.restart();
		await runParts(PARTS, { environment, results, quick, check });
	}
	if (!quick) results.print();
});
