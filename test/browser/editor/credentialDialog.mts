import type { Page } from '@playwright/test';

import type { nodeForm } from './nodeForm.mts';

/** The dialog of the credential of the open node. */
export function credentialDialog(page: Page, { fields }: ReturnType<typeof nodeForm>) {
	const element = page.getByTestId('editCredential-modal');
	const field = (name: string) => element.getByTestId(`parameter-input-${name}`).first();
	return {
		element,
		field,
		/** The field for a credential, whether there is one to choose or not. */
		offered: fields
			.getByTestId('node-credentials-empty-state')
			.or(fields.getByTestId('node-credentials-select')),
		/** The name of the credential that the node has. */
		chosen: fields.getByTestId('node-credentials-select').locator('input'),
		/** Opens the dialog for the first credential. */
		openNew: async () => {
			await fields.getByTestId('node-credentials-empty-state').click();
			// n8n sets the values of the form once more, together with the name, when it has read what it needs.
			await element.getByTestId('credential-name').waitFor();
		},
		/** Opens the credential that the node has. */
		open: async () => await fields.getByTestId('credential-edit-button').click(),
		fill: async (name: string, value: string) => await field(name).locator('input').fill(value),
		/** Switches a field on, or off again. */
		toggle: async (name: string) => await field(name).locator('.el-switch').click(),
		/** Saves the credential, which tests it. A new one closes the dialog when the test succeeds. */
		save: async () => await element.getByTestId('credential-save-button').click(),
		/** Waits until the test has failed, and shows all that n8n says. */
		showProblem: async () => {
			const more = element.getByText('More details');
			await more.click();
			await more.waitFor({ state: 'hidden' });
		},
		close: async () => {
			await element.getByRole('button', { name: 'Close this dialog' }).click();
			await element.waitFor({ state: 'hidden' });
		},
	};
}
