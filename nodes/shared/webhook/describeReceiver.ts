import { serviceText } from '../values/serviceText';
import { withoutEvent } from './receiver';

/** Whether a registered URL leads to the n8n of this webhook. */
export const isOnThisN8n = (url: string, webhookUrl: string): boolean =>
	URL.canParse(url) && new URL(url).host === new URL(webhookUrl).host;

const pathOf = (url: string): string[] => withoutEvent(url).replace(/\/$/, '').split('/');

/**
 * Names where a registered URL leads: a host, or a workflow on this n8n. The path of a trigger of this
 * package ends with the ids of its workflow and its node (docs/decisions/0005).
 *
 * @param url as the service shows it
 * @param webhookUrl of the trigger's own webhook
 */
export function describeReceiver(url: string, webhookUrl: string): string {
	if (!URL.canParse(url)) return 'a webhook URL that cannot be read';
	if (!isOnThisN8n(url, webhookUrl)) return `the host ${serviceText(new URL(url).host)}`;
	const [path, ownPath] = [pathOf(url), pathOf(webhookUrl)];
	const workflow = path.at(-2) ?? '';
	// With both ids the same, it is a copy of the trigger, such as one of another n8n behind this host.
	const isCopy = workflow === ownPath.at(-2) && path.at(-1) === ownPath.at(-1);
	if (isCopy || path.length < ownPath.length) return 'another trigger or workflow on this n8n';
	return workflow === ownPath.at(-2)
		? 'another trigger of this workflow'
		: `another workflow on this n8n, /workflow/${serviceText(workflow)}`;
}
