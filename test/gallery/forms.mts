import assert from 'node:assert/strict';

import * as z from 'zod';

import type { GalleryEnvironment } from './environment.mts';
import type { OpenExample } from './openExample.mts';

const storedForm = z.object({
	nodes: z.array(z.object({ name: z.string(), webhookId: z.string().optional() }).passthrough()),
});
const formFields = z.object({
	formFields: z.object({ values: z.array(z.object({ fieldLabel: z.string() })) }),
});

/**
 * Fills in the form of a published example and sends it, as a person does in the browser.
 *
 * @param trigger name of the form's node
 * @param values by the labels of the fields
 */
export async function sendForm(
	{ url, editor }: Pick<GalleryEnvironment, 'url' | 'editor'>,
	{ id, workflow }: Pick<OpenExample, 'id' | 'workflow'>,
	trigger: string,
	values: Record<string, string>,
): Promise<void> {
	const { nodes } = await editor.rest.call(storedForm, 'GET', `/workflows/${id}`);
	const webhookId = nodes.find(({ name }) => name === trigger)?.webhookId;
	const form = workflow.nodes.find(({ name }) => name === trigger);
	const body = new FormData();
	formFields.parse(form?.parameters).formFields.values.forEach(({ fieldLabel }, index) => {
		body.set(`field-${index}`, values[fieldLabel] ?? '');
	});
	const { status } = await fetch(`${url}/form/${webhookId}`, { method: 'POST', body });
	assert.equal(status, 200);
}
