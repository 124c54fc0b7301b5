import type { Workflow } from '../../host/api/workflow.mts';
import { action, httpGet, httpRequest, start, START, workflow } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';

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

/** Three variables by expressions. */
const MAPPED: Parameters = {
	customerName: VALUES.name,
	email: VALUES.email,
	variables: { variable: [{ name: 'city', value: VALUES.city }] },
};

/** All fields of the item as variables. */
const ALL: Parameters = {
	variablesMode: 'sendAllInputFields',
	variablesToLeaveOut: 'campaignId, phoneNumber',
};

/** Lead → Create of this package. */
const thisNode = ({ maxConcurrent, sendsAll = false }: ThisNode): Parameters => ({
	resource: 'lead',
	operation: 'create',
	campaignId: { __rl: true, mode: 'id', value: VALUES.campaign },
	phoneNumber: VALUES.phoneNumber,
	...(sendsAll ? ALL : MAPPED),
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

/** How this package's node creates the leads. */
interface ThisNode {
	node: 'this node';
	/** how many requests it sends at once; the node's default unless given */
	maxConcurrent?: number;
	/** whether all fields of the item become variables, and not three by expressions */
	sendsAll?: boolean;
}

/** The node that creates the leads. */
export type Variant = (ThisNode | { node: 'HTTP Request' }) & {
	/** of how many accounts the items are; one unless given. The credential is an expression then */
	accountCount?: number;
};

/** Creates a lead for each of `count` customers. */
export function leadWorkflow(
	{ service: { url, leadsUrl }, credential: common, credentialPerItem }: BenchEnvironment,
	count: number,
	variant: Variant,
): Workflow {
	const { accountCount } = variant;
	const credential = accountCount === undefined ? common : credentialPerItem;
	const measured =
		variant.node === 'this node'
			? action(MEASURED, thisNode(variant), credential)
			: httpRequest(MEASURED, sameByHttpRequest(url), credential);
	const source = httpGet(SOURCE, leadsUrl(count, accountCount));
	return workflow(
		`${count} leads`,
		[start(), source, measured],
		[
			[START, SOURCE],
			[SOURCE, MEASURED],
		],
	);
}
