import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { chosenParts } from '../support/chosenParts.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { startBench } from './environment.mts';
import { inboundQuestions } from './inboundQuestions.mts';
import { leads, limit, memory } from './leads.mts';
import { list } from './lists.mts';
import { deliveries, toolAnswers } from './webhooks.mts';

/**
 * --quick: small numbers, no table. --only leads --only memory: some parts. --pairs 4: how often each is measured.
 * --env N8N_EXPRESSION_ENGINE=legacy: a setting of n8n.
 */
const { quick, only, pairs, env } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		pairs: { type: 'string', default: '4' },
		only: { type: 'string', multiple: true, default: [] },
		env: { type: 'string', multiple: true, default: [] },
	},
}).values;

const PARTS = {
	leads,
	limit,
	list,
	trigger: deliveries,
	question: inboundQuestions,
	tool: toolAnswers,
	// The last one, because it starts n8n again. With small numbers it would say nothing.
	...(!quick && { memory }),
};
const runParts = chosenParts(only, PARTS);
const settings = Object.fromEntries(
	env.map((setting): [string, string] => {
		const [name = '', value = ''] = setting.split('=', 2);
		return [name, value];
	}),
);

await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const options = { quick, pairs: quick ? 1 : Number(pairs) };
	const bench = await checks.require(
		'a new n8n starts',
		async () => await startBench(checks, settings, options),
	);
	await runParts(PARTS, bench);
	if (!quick) bench.results.print();
});
