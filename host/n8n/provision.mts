import type { Editor, Owner, StoredWorkflow } from '../api/editor.mts';
import { readExamples } from './examples.mts';
import { CREDENTIAL_TYPE } from './names.mts';
import { withCredential, type CredentialRef } from '../api/workflow.mts';

/** Who owns an n8n that is set up here. It listens on the loopback address only: no secret. */
export const OWNER: Owner = {
	email: 'you@example.com',
	password: 'Sandbox1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

const CREDENTIAL_NAME = 'Sandbox';

/** What an n8n holds after {@link setUp}. */
export interface Setup {
	credential: CredentialRef;
	/** Gives a workflow of examples/ by its name. */
	workflow: (name: string) => StoredWorkflow;
}

/**
 * Puts a credential for the sandbox and the example workflows into n8n. What is already there is
 * not made twice, but the credential always gets the sandbox's present address.
 *
 * @param editor signed in
 * @param data the credential's fields
 */
export async function setUp(editor: Editor, data: Record<string, string>): Promise<Setup> {
	const credential = await editor.saveCredential(CREDENTIAL_TYPE, CREDENTIAL_NAME, data);
	const workflows = await editor.workflows();
	for (const example of await readExamples()) {
		if (workflows.some(({ name }) => name === example.name)) continue;
		workflows.push(await editor.createWorkflow(withCredential(example, credential)));
	}
	return {
		credential,
		workflow: (name) => {
			const found = workflows.find((candidate) => candidate.name === name);
			if (found === undefined) throw new Error(`examples/ holds no workflow named "${name}".`);
			return found;
		},
	};
}
