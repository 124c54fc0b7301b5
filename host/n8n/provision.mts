import type { Editor, Owner, StoredWorkflow } from '../api/editor.mts';
import { withCredential, type CredentialRef, type Workflow } from '../api/workflow.mts';
import { setupStep } from '../process/setupStep.mts';
import { readGallery, type Example } from './examples.mts';
import type { ListPaths } from './listPaths.mts';
import { CREDENTIAL_TYPE } from './names.mts';
import { readRecordNames, withRecordNames } from './recordNames.mts';
import { withSandboxAddress } from './sandboxAddress.mts';

/** The owner of every n8n that is started here. No secret: n8n listens on the loopback address only. */
export const OWNER: Owner = {
	email: 'you@example.com',
	password: 'Sandbox1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

/** A workflow of examples/ in n8n. */
export interface ImportedExample extends Example {
	stored: StoredWorkflow;
	/** whether it was imported just now */
	isNew: boolean;
}

export type Provisioned = Awaited<ReturnType<typeof provision>>;

/** What a credential of this package is for. */
export interface Account {
	url: string;
	token: string;
	/** The usual ones if left out. */
	listPaths?: ListPaths | undefined;
}

/** Stores a credential of this package; an earlier one of that name gets the new data. */
export async function saveCredential(
	editor: Editor,
	name: string,
	{ url, token, listPaths }: Account,
): Promise<CredentialRef> {
	const data = {
		baseUrl: url,
		apiToken: token,
		...(listPaths && { useOtherListPaths: true, ...listPaths }),
	};
	return await setupStep(`store the credential "${name}"`, () =>
		editor.saveCredential(CREDENTIAL_TYPE, name, data),
	);
}

/**
 * Stores a credential for the sandbox. One that is there already stays as the user has it: only its
 * address becomes the present one, if it is that of the sandbox at another port.
 */
export async function provideCredential(
	editor: Editor,
	name: string,
	account: Account,
): Promise<CredentialRef> {
	const stored = await setupStep(`read the credential "${name}"`, () =>
		editor.readCredential(CREDENTIAL_TYPE, name),
	);
	if (stored === undefined) return await saveCredential(editor, name, account);
	const { data, ...ref } = stored;
	if (!differsInPort(data.baseUrl, account.url)) return ref;
	return await setupStep(`give the credential "${name}" the address of the sandbox`, () =>
		editor.saveCredential(CREDENTIAL_TYPE, name, { ...data, baseUrl: account.url }),
	);
}

function differsInPort(stored: unknown, present: string): boolean {
	if (typeof stored !== 'string' || stored === present || !URL.canParse(stored)) return false;
	const moved = new URL(stored);
	moved.port = new URL(present).port;
	return moved.href === new URL(present).href;
}

/** How examples/ name a credential that takes the token of each item from the item. */
const ACCOUNT_OF_EACH_CLIENT = 'Account of each client';
const TOKEN_OF_THE_ITEM = '={{ $json.api_token }}';

/** The token that the credential of an example has: that of one account, or an expression. */
export function tokenFor({ nodes }: Workflow, token: string): string {
	const isExpression = nodes.some(
		({ credentials }) => credentials?.[CREDENTIAL_TYPE]?.name === ACCOUNT_OF_EACH_CLIENT,
	);
	return isExpression ? TOKEN_OF_THE_ITEM : token;
}

/**
 * Stores credentials for the sandbox and the example workflows in n8n, with what they are for as their
 * tag, and with the names of the sandbox's records. Credentials that exist get the present address of the
 * sandbox; workflows that exist stay as they are.
 *
 * @param editor signed in
 * @throws Error that names the step that failed
 */
export async function provision(editor: Editor, sandbox: Account & { control: string }) {
	const clients = { ...sandbox, token: TOKEN_OF_THE_ITEM };
	const accountOfEachClient = await provideCredential(
		editor,
		`Sandbox: ${ACCOUNT_OF_EACH_CLIENT}`,
		clients,
	);
	// As the last one: n8n's editor gives a new node the credential that was saved last (2.41).
	const credential = await provideCredential(editor, 'Sandbox', sandbox);
	const names = await setupStep('read the names of the records', () => readRecordNames(sandbox));
	const examples = await setupStep('import the example workflows', async () => {
		const existing = await editor.workflows();
		const imported: ImportedExample[] = [];
		for (const example of await readGallery()) {
			const known = existing.find(({ name }) => name === example.workflow.name);
			const isOneAccount = tokenFor(example.workflow, sandbox.token) === sandbox.token;
			const account = isOneAccount ? credential : accountOfEachClient;
			const addressed = withSandboxAddress(example.workflow, sandbox.url);
			const workflow = withRecordNames(withCredential(addressed, account), names);
			const stored =
				known ?? (await editor.createWorkflow(workflow, [await editor.tag(example.useCase)]));
			imported.push({ ...example, stored, isNew: known === undefined });
		}
		return imported;
	});
	return {
		credential,
		names,
		examples,
		/** Gives a workflow of examples/ by its name. */
		workflow: (name: string): StoredWorkflow => {
			const found = examples.find(({ stored }) => stored.name === name);
			if (found === undefined) throw new Error(`examples/ has no workflow named "${name}".`);
			return found.stored;
		},
	};
}
