import type { Editor, StoredWorkflow } from '../api/editor.mts';
import { withCredential, type Workflow } from '../api/workflow.mts';
import { ADD_LEAD, readExample, SET_UP, THANK_BY_SMS } from '../n8n/examples.mts';
import type { ImportedExample, Provisioned } from '../n8n/provision.mts';
import { withRecordNames } from '../n8n/recordNames.mts';
import { setupStep } from '../process/setupStep.mts';
import { warnOnFailure } from '../process/warnOnFailure.mts';
import { withInspectorLinks } from './inspectorLinks.mts';
import { START_HERE, startHere, withNewLinks } from './startHere.mts';

/** The examples, ready to use. */
export interface Gallery {
	/** the workflow to open first */
	startHere: StoredWorkflow;
	isFirst: boolean;
	/** whether a call starts {@link THANK_BY_SMS} */
	isPublished: boolean;
	warnings: string[];
}

/**
 * Makes the tables of new examples. At the first start it also publishes the workflow that a call
 * starts, and last makes the workflow to open first: if that is missing, an earlier start was cut.
 * Later starts leave everything as the user has it, and only renew in the notes the links to the
 * inspector and to new examples. What is published is not published again for that.
 *
 * @param editor signed in
 * @param inspector URL of the sandbox's page
 */
export async function openGallery(
	editor: Editor,
	provisioned: Provisioned,
	inspector: string,
): Promise<Gallery> {
	const { examples, credential, names, workflow } = provisioned;
	const existing = (await editor.workflows()).find(
		({ name, isArchived }) => name === START_HERE && !isArchived,
	);
	const warnings: string[] = [];
	// n8n refuses to change an archived workflow.
	for (const { stored } of examples.filter(({ stored: { isArchived } }) => !isArchived)) {
		const event = `The notes of "${stored.name}" have no link to the inspector, or an old one`;
		await warnOnFailure(warnings, event, `It is at ${inspector}`, () =>
			renewNotes(editor, stored.id, (present) => withInspectorLinks(present, inspector)),
		);
	}
	for (const example of examples.filter(({ isNew }) => isNew || existing === undefined)) {
		const event = `"${example.stored.name}" has no tables`;
		await warnOnFailure(warnings, event, `Run its "${SET_UP}" yourself.`, () =>
			setUp(editor, example),
		);
	}
	const thank = workflow(THANK_BY_SMS);
	if (existing !== undefined) {
		await warnOnFailure(warnings, `The links of "${START_HERE}" are old`, 'It still works.', () =>
			renewNotes(editor, existing.id, (stored) => withNewLinks(stored, examples, inspector)),
		);
		return { startHere: existing, isFirst: false, isPublished: thank.active, warnings };
	}
	const event = `"${thank.name}" was not published`;
	const publish = () => editor.publish(thank.id);
	const isPublished =
		thank.active || (await warnOnFailure(warnings, event, 'Publish it yourself.', publish));
	const addLead = withRecordNames(withCredential(await readExample(ADD_LEAD), credential), names);
	const create = () => editor.createWorkflow(startHere(addLead, examples, inspector));
	const created = await setupStep(`make the workflow "${START_HERE}"`, create);
	return { startHere: created, isFirst: true, isPublished, warnings };
}

/** @throws Error when the set-up of the example fails */
async function setUp(editor: Editor, { workflow, stored }: ImportedExample): Promise<void> {
	if (!workflow.nodes.some(({ name }) => name === SET_UP)) return;
	const { status, error } = await editor.run(stored.id, SET_UP);
	if (status !== 'success') throw new Error(error ?? status);
}

/** @param renew gives the workflow with other notes; undefined when its notes are right */
async function renewNotes(
	editor: Editor,
	workflowId: string,
	renew: (stored: Workflow) => Workflow | undefined,
): Promise<void> {
	const renewed = renew(await editor.workflow(workflowId));
	if (renewed !== undefined) await editor.saveWorkflow(workflowId, renewed);
}
