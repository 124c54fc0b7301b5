import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { ACTION } from '../../host/n8n/names.mts';
import { CALL, httpGet, node, trigger, workflow } from './workflows.mts';

/** The number that is called. */
export const CALLED = '+4915112345201';

/** What the service gets when the workflow answers, and when it does not. */
export const VARIABLES = { customer_name: 'Jane', orders: '3' };
export const FALLBACK = { customer_name: 'there' };

/** The numbers of the callers. Each stands for a way in which the workflow answers, or not. */
export const CALLERS = {
	inTime: '+14155550101',
	late: '+14155550102',
	fails: '+14155550103',
	never: '+14155550104',
};

/** The question of the service about a caller (public-service: Inbound webhook). */
export const questionOf = (customer_phone: string): object => ({
	customer_phone,
	assistant_phone: CALLED,
});

/**
 * A workflow that is asked before inbound calls, and answers in the way that the caller stands for.
 *
 * @param waitUrl of a server where `late` waits before its answer
 */
export function askedWorkflow(
	assistantId: number,
	credential: CredentialRef,
	waitUrl: string,
): Workflow {
	const give = (name: string) =>
		node(name, ACTION, 1, {
			resource: 'call',
			operation: 'respond',
			respondTo: 'inboundCall',
			variablesMode: 'json',
			variablesJson: '={{ { customer_name: "Jane", orders: 3 } }}',
		});
	const variable = Object.entries(FALLBACK).map(([name, value]) => ({ name, value }));
	const nodes = [
		trigger('inboundCallStarting', assistantId, credential, { fallbackVariables: { variable } }),
		node('By caller', 'n8n-nodes-base.switch', 3, {
			mode: 'expression',
			numberOutputs: 4,
			output: `={{ ${JSON.stringify(Object.values(CALLERS))}.indexOf($json.customer_phone) }}`,
		}),
		give('Answer'),
		httpGet('Wait', waitUrl),
		give('Answer late'),
		node('Fail', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'No customers.' }),
		node('Do nothing', 'n8n-nodes-base.noOp', 1, {}),
	];
	return workflow('Who is calling', nodes, [
		[CALL, 'By caller'],
		['By caller', 'Answer', 0],
		['By caller', 'Wait', 1],
		['By caller', 'Fail', 2],
		['By caller', 'Do nothing', 3],
		['Wait', 'Answer late'],
	]);
}
