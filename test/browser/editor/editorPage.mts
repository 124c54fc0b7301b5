import type { Page } from 'playwright-core';

import type { Owner } from '../../../host/api/editor.mts';
import { waitForIcons } from '../appearance.mts';
import { CredentialDialog } from './credentialDialog.mts';
import { FieldDescriptions } from './fieldDescriptions.mts';
import { NodeDialog } from './nodeDialog.mts';
import { NodeForm } from './nodeForm.mts';
import { NodeOutput } from './nodeOutput.mts';
import { NodePanel } from './nodePanel.mts';
import { Notifications } from './notifications.mts';
import { Picker } from './picker.mts';
import { testId } from './testId.mts';
import { WorkflowPage } from './workflowPage.mts';

/**
 * n8n's editor as a user operates it. This folder has every selector of the suite (n8n 2.41.1). Each
 * method waits until its effect is visible, and throws when that takes too long.
 */
export class EditorPage {
	readonly page: Page;
	readonly workflow: WorkflowPage;
	readonly nodePanel: NodePanel;
	readonly node: NodeDialog;
	readonly form: NodeForm;
	readonly descriptions: FieldDescriptions;
	readonly picker: Picker;
	readonly output: NodeOutput;
	readonly credential: CredentialDialog;
	readonly notifications: Notifications;
	readonly #url: string;

	/** @param url base URL of n8n */
	constructor(page: Page, url: string) {
		this.page = page;
		this.#url = url;
		this.node = new NodeDialog(page);
		this.form = new NodeForm(page, this.node.element);
		this.descriptions = new FieldDescriptions(page, this.form, this.node);
		this.picker = new Picker(page, this.form);
		this.output = new NodeOutput(this.node.element);
		this.workflow = new WorkflowPage(page, url, this.form);
		this.nodePanel = new NodePanel(page, this.form);
		this.credential = new CredentialDialog(page, this.form);
		this.notifications = new Notifications(page);
	}

	async signIn(owner: Owner): Promise<void> {
		await this.page.goto(`${this.#url}/signin`);
		await this.#fillInSignIn(owner);
		await this.page.locator(testId('new-workflow-card')).waitFor();
	}

	/** Opens a workflow by its address, signs in where n8n asks for it, and is at the workflow then. */
	async signInOnTheWayTo(address: string, owner: Owner): Promise<void> {
		await this.page.goto(address);
		await this.#fillInSignIn(owner);
		await this.page.waitForURL(address);
		await this.page.locator(testId('canvas-node')).first().waitFor();
	}

	async #fillInSignIn({ email, password }: Owner): Promise<void> {
		await this.page.locator(`${testId('emailOrLdapLoginId')} input`).fill(email);
		await this.page.locator(`${testId('password')} input`).fill(password);
		await this.page.locator(testId('form-submit-button')).click();
	}

	/** Opens the list of triggers and actions of a node in a new workflow. */
	async openNodeInNewWorkflow(name: string): Promise<void> {
		await this.workflow.create();
		await this.nodePanel.search(name);
		await this.nodePanel.openNode(name);
	}

	/** Switches to n8n's light or dark theme. */
	async useTheme(theme: 'light' | 'dark'): Promise<void> {
		await this.page.emulateMedia({ colorScheme: theme });
	}

	/** Waits until the package's icons have changed to the theme. */
	async waitForIcons(theme: 'light' | 'dark'): Promise<void> {
		const name = 'voiceAssistantCalling';
		const icons = this.page.locator(`img[src*="/${name}."]`).filter({ visible: true });
		const other = theme === 'dark' ? `/${name}.svg` : `/${name}.dark.svg`;
		await icons
			.and(this.page.locator(`[src$="${other}"]`))
			.first()
			.waitFor({ state: 'hidden' });
		await waitForIcons(icons);
	}
}
