import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { action, httpGet, httpRequest, start, START, workflow } from '../support/workflows.mts';
import type { BenchService } from './serviceClient.mts';

const SOURCE = 'Customers';
/** The node that is measured. */
export const MEASURED = 'Measured';

type Parameters = Record<string, unknown>;

/** Five expressions for values of the item. */
const VALUES = {
	campaign: '={{ $json.campaignId }}',
	phoneNumber: '={{ $json.phoneNumber }}',
	name: '={{ $json.name }}',
	email: '={{ $json.email }}',
	city: '={{ $json.city }}',
};

/** Lead → Create of this package. @param maxConcurrent the node's default unless given */
const thisNode = (maxConcurrent?: number): Parameters => ({
	resource: 'lead',
	operation: 'create',
	campaignId: { __rl: true, mode: 'id', value: VALUES.campaign },
	phoneNumber: VALUES.phoneNumber,
	additionalFields: {
		customerName: VALUES.name,
		email: VALUES.email,
		variables: { variable: [{ name: 'city', value: VALUES.city }] },
	},
	requestOptions: maxConcurrent === undefined ? {} : { maxConcurrentRequests: maxConcurrent },
});

/** The same request for n8n's HTTP Request node. */
const sameByHttpRequest = (url: string): Parameters => ({
	method: 'POST',
	url: `${url}/user/lead`,
	sendBody: true,
	contentType: 'json',
	specifyBody: 'keypair',
	bodyParameters: {
		parameters: [
			{ name: 'campaign_id', value: VALUES.campaign },
			{ name: 'phone_number', value: VALUES.phoneNumber },
			{ name: 'variables.customer_name', value: VALUES.name },
			{ name: 'variables.email', value: VALUES.email },
			{ name: 'variables.city', value: VALUES.city },
		],
	},
	options: {},
});

/** The node that creates the leads, and how many requests this package's sends at once. */
export type Variant = { node: 'this node'; maxConcurrent?: number } | { node: 'HTTP Request' };

/** Creates a lead for each of `count` customers. */
export function leadWorkflow(
	{ url, leadsUrl }: BenchService,
	credential: CredentialRef,
	count: number,
	variant: Variant,
): Workflow {
	const measured =
		variant.node === 'this node'
			? action(MEASURED, thisNode(variant.maxConcurrent), credential)
			: httpRequest(MEASURED, sameByHttpRequest(url), credential);
	const source = httpGet(SOURCE, leadsUrl(count));
	return workflow(
		`${count} leads`,
		[start(), source, measured],
		[
			[START, SOURCE],
			[SOURCE, MEASURED],
		],
	);
}
