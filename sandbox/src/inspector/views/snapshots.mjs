import { ask, change } from '../api.mjs';
import { button, moment, muted, sections, table } from '../components.mjs';
import { Dialog, openDialog } from '../dialog.mjs';
import { attemptChange, say } from '../messages.mjs';
import { h, html } from '../vendor/preact.js';

const EXPLANATION =
	'A snapshot keeps all data, the time and the random numbers, so that you can try something again from the same place.';

/** @type {View} */
export const snapshots = {
	title: 'Snapshots',
	load: () => ask('snapshots'),
	render: ({ data }) => html`
		<h1 tabindex="-1">Snapshots</h1>
		${muted(EXPLANATION)} ${sections({ Saved: saved(data) })}
		<div class="buttons">${button('Save a snapshot', openSave, { class: 'primary' })}</div>
	`,
};

/** @param {Row[]} snapshots */
function saved(snapshots) {
	const nothing = 'None yet. Save one before you try something.';
	return table(
		'Snapshots',
		snapshots,
		{
			Name: ({ name }) => name,
			'Time of the sandbox': ({ at }) => moment(at),
			Action: ({ name }) => [
				button('Restore', () => restore(name), { 'aria-label': `Restore ${name}` }),
				' ',
				button('Delete', () => remove(name), { 'aria-label': `Delete ${name}` }),
			],
		},
		nothing,
	);
}

function openSave() {
	const submit = async (/** @type {{ [name: string]: string }} */ { name }) => {
		await change('POST', 'snapshots', { name });
		say(`“${name}” is saved.`);
	};
	const fields = [
		{
			name: 'name',
			label: 'Name',
			required: true,
			hint: 'An earlier one with this name is replaced.',
		},
	];
	openDialog(h(Dialog, { title: 'Save a snapshot', fields, action: 'Save', submit }));
}

/** @param {string} name */
const toPath = (name) => `snapshots/${encodeURIComponent(name)}`;

/** @param {string} name */
const restore = (name) =>
	attemptChange('POST', `${toPath(name)}/restore`, {}, () => `“${name}” is restored.`);

/** @param {string} name */
const remove = (name) =>
	attemptChange('DELETE', toPath(name), undefined, () => `“${name}” is deleted.`);
