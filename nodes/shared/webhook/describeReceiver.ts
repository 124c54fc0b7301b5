import { asText } from '../values/json';
import { serviceText } from '../values/serviceText';
import { isOnThisN8n } from './ownership';
import { readReceiver, withoutEvent } from './receiver';
import { workflowName } from './workflowNames';

/** Whether a URL is that of a trigger of this package on the n8n of this webhook. */
export const isTriggerOfThisN8n = (url: string, webhookUrl: string): boolean =>
	isOnThisN8n(url, webhookUrl) && ['trigger', 'test'].includes(asText(readReceiver(url).receiver));

const pathOf = (url: string): string[] => withoutEvent(url).replace(/\/$/, '').split('/');

/**
 * Names where a registered URL leads: a host, or a workflow on this n8n, by its name if that is known. The path of
 * a trigger of this package ends with the ids of its workflow and its node (docs/decisions/0005).
 *
 * @param url as the service shows it
 * @param webhookUrl of the trigger's own webhook
 */
export function describeReceiver(url: string, webhookUrl: string): string {
	if (!URL.canParse(url)) return 'a webhook URL that cannot be read';
	if (!isOnThisN8n(url, webhookUrl)) return `the host ${serviceText(new URL(url).host)}`;
	const [path, ownPath] = [pathOf(url), pathOf(webhookUrl)];
	const workflow = path.at(-2) ?? '';
	if (path.length < ownPath.length) return 'another trigger or workflow on this n8n';
	if (workflow === ownPath.at(-2)) return 'another trigger of this workflow';
	const name = workflowName(workflow);
	const address = `/workflow/${serviceText(workflow)}`;
	return name === undefined
		? `another workflow on this n8n, ${address}`
		: `the workflow '${serviceText(name)}' (${address}) on this n8n`;
}
