import type { Locator } from '@playwright/test';

import type { EditorPage } from './editor/editorPage.mts';
import { getEntry, getMembers, type Field } from './served.mts';

/** Adds every member to every collection, and an entry to every list of entries. */
export async function addEverything(ui: EditorPage, fields: Field[]): Promise<void> {
	for (const field of fields) {
		if (field.type !== 'notice') await ui.form.field(field.name).first().waitFor();
		const members = getMembers(field);
		const collection = ui.form.field(field.name);
		for (const member of members) {
			const { name, displayName } = member;
			const before = await ui.form.field(name, collection).count();
			await ui.form.addTo(field.name, displayName, members.length === 1);
			await ui.form.field(name, collection).nth(before).waitFor();
			// Before the next member, because n8n 2.41 then removes a list without entries.
			await addEntry(ui, member, collection);
		}
		await addEntry(ui, field);
	}
}

/** Adds an entry, if the field is a list of entries. */
async function addEntry(ui: EditorPage, field: Field, within?: Locator): Promise<void> {
	const entry = getEntry(field);
	if (entry.length === 0) return;
	const list = ui.form.entries(field.name, within);
	await ui.form.addEntry(list);
	for (const { name } of entry) await ui.form.field(name, list).waitFor();
}
