import type { Locator } from 'playwright-core';

import { assertLooksRight } from './appearance.mts';
import type { EditorPage } from './editor/editorPage.mts';
import type { EditorField } from './servedNode.mts';

/** n8n's dark theme, and its light one, which stays. */
export const THEMES = ['dark', 'light'] as const;

/**
 * Checks in both themes that fields have their label and their hint on the screen, and the sign that
 * shows their description.
 *
 * @throws Error when a text or a sign does not appear
 */
export async function assertExplained(
	browser: EditorPage,
	fields: EditorField[],
	within?: Locator,
): Promise<void> {
	for (const theme of THEMES) {
		await browser.useTheme(theme);
		for (const { name, label, hint, description } of fields) {
			const field = browser.form.field(name, within).first();
			await field.getByText(label, { exact: true }).first().waitFor();
			if (hint !== undefined) await field.getByText(hint, { exact: true }).first().waitFor();
			if (description) await browser.descriptions.sign(name, within).waitFor({ state: 'attached' });
		}
	}
}

/**
 * Checks that the descriptions of fields appear while the pointer is on them, and look right. Each is
 * read once, because many operations have the same field.
 *
 * @param read those that were read, to which it adds
 * @throws what {@link assertLooksRight} throws, and when a text does not appear
 */
export async function assertDescribed(
	browser: EditorPage,
	fields: EditorField[],
	read: Set<string>,
): Promise<void> {
	for (const { name, label, description = '' } of fields) {
		const key = `${label}: ${description}`;
		if (description === '' || read.has(key)) continue;
		await assertLooksRight(await browser.descriptions.show(name, plainText(description)));
		await browser.descriptions.hide();
		read.add(key);
	}
}

/** A description without its links. */
const plainText = (description: string): string => description.replaceAll(/<[^>]+>/g, '');
