import type { Locator, Page } from 'playwright-core';

import type { Owner } from '../../host/api/editor.mts';
import { waitFor } from '../../host/process/wait.mts';
import { waitForIcons } from './appearance.mts';

const RUN_LIMIT_MS = 60_000;
const CLICK_LIMIT_MS = 1_000;

/** The selector of an element by the id that n8n gives it for its own browser tests. */
const id = (name: string): string => `[data-test-id="${name}"]`;

/**
 * n8n's editor as a user operates it, with every selector of the suite (n8n 2.41.1). Each method waits
 * until its effect is visible, and throws when that takes too long.
 */
export class EditorPage {
	readonly page: Page;
	readonly #url: string;

	/** @param url base URL of n8n */
	constructor(page: Page, url: string) {
		this.page = page;
		this.#url = url;
	}

	async signIn({ email, password }: Owner): Promise<void> {
		await this.page.goto(`${this.#url}/signin`);
		await this.page.locator(`${id('emailOrLdapLoginId')} input`).fill(email);
		await this.page.locator(`${id('password')} input`).fill(password);
		await this.page.locator(id('form-submit-button')).click();
		await this.page.locator(id('new-workflow-card')).waitFor();
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

	// Workflows

	/** Creates the first workflow, from the card that only an empty n8n shows. */
	async createFirstWorkflow(): Promise<void> {
		await this.page.locator(id('new-workflow-card')).click();
		await this.#canvas.waitFor();
	}

	async createWorkflow(): Promise<void> {
		await this.page.goto(`${this.#url}/workflow/new`);
		await this.#canvas.waitFor();
	}

	async openWorkflow(workflowId: string): Promise<void> {
		await this.page.goto(`${this.#url}/workflow/${workflowId}`);
		await this.page.locator(id('canvas-node')).first().waitFor();
	}

	/** Shows the whole workflow. */
	async zoomToFit(): Promise<void> {
		await this.page.locator(id('zoom-to-fit')).click();
	}

	/** Runs the whole workflow from the canvas. */
	async executeWorkflow(): Promise<void> {
		await this.page.locator(id('execute-workflow-button')).click();
	}

	get #canvas(): Locator {
		return this.page.locator(id('canvas-wrapper'));
	}

	// The panel that offers nodes

	/** Opens the list of triggers and actions of a node in a new workflow. */
	async openNodeInNewWorkflow(name: string): Promise<void> {
		await this.createWorkflow();
		await this.searchNodes(name);
		await this.openNode(name);
	}

	/** Opens the panel and types into its search field. */
	async searchNodes(text: string): Promise<void> {
		await this.page.locator(id('node-creator-plus-button')).click();
		await this.searchNodesAgain(text);
	}

	/** Types something else into the search field of the open panel. */
	async searchNodesAgain(text: string): Promise<void> {
		await this.page.locator(id('node-creator-search-bar')).fill(text);
	}

	get nodePanel(): Locator {
		return this.page.locator(id('node-creator'));
	}

	/** The nodes that were found. */
	get foundNodes(): Locator {
		return this.nodePanel.locator(id('node-creator-action-item'));
	}

	/** Opens the list of triggers and actions of a found node. */
	async openNode(name: string): Promise<void> {
		await this.foundNodes.filter({ hasText: name }).click();
		await this.#category('Triggers').waitFor();
		const actions = this.#category('Actions');
		await actions.click();
		await this.nodePanel
			.getByText(/ actions$/i)
			.first()
			.waitFor();
	}

	/** Adds the trigger of a found node that has no actions, which opens the node. */
	async addTrigger(name: string): Promise<void> {
		const found = this.nodePanel.locator(id('node-creator-node-item'));
		await found.filter({ hasText: name }).click();
		await this.nodePanel.getByRole('button', { name: 'Add to workflow' }).click();
		await this.fields.waitFor();
	}

	/**
	 * The triggers and actions of the node that was opened.
	 *
	 * @param count how many to wait for: n8n shows them one after the other
	 */
	async offered(count: number): Promise<string[]> {
		const names = this.nodePanel.locator(id('node-creator-item-name'));
		await names.nth(count - 1).waitFor();
		return await names.allInnerTexts();
	}

	/** Adds a trigger or an action of the node that was opened, which opens the node. */
	async add(name: string): Promise<void> {
		const item = this.nodePanel.locator(id('node-creator-item-name'));
		await item.getByText(name, { exact: true }).click();
		await this.fields.waitFor();
	}

	#category(name: string): Locator {
		return this.nodePanel.locator(id('node-creator-category-item')).filter({ hasText: name });
	}

	// A node that is open

	/**
	 * Counts what the user presses, until another page opens.
	 *
	 * @returns a function that gives the presses of the mouse button since then
	 */
	async countPresses(): Promise<() => Promise<number>> {
		const counter = await this.page.locator('body').evaluateHandle(startCounting);
		return async () => (await counter.jsonValue()).presses;
	}

	/** The fields on the tab that is shown. */
	get fields(): Locator {
		return this.#node.locator(id('node-parameters'));
	}

	/** The name of the node, at the top. */
	get nodeName(): Locator {
		return this.#node.locator(id('node-title-container')).locator(id('inline-edit-preview'));
	}

	async openNodeOnCanvas(name: string): Promise<void> {
		await this.page.locator(`${id('canvas-node')}[data-node-name="${name}"]`).dblclick();
		await this.fields.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.#node.locator(id('ndv-close-button')).click();
		await this.#node.waitFor({ state: 'hidden' });
	}

	/** The field of this name, with its label; a collection with its members. */
	field(name: string, within = this.fields): Locator {
		const label = within.locator(`label[for="${name}"]`).filter({ visible: true });
		return label.locator(`xpath=ancestor::*[@data-test-id="parameter-item"][1]`);
	}

	/** The sign beside a label that shows the description of the field. */
	descriptionSign(name: string, within = this.fields): Locator {
		const label = within.locator(`label[for="${name}"]`).filter({ visible: true }).first();
		return label.locator('svg[data-icon="circle-help"]');
	}

	/**
	 * Puts the pointer on the sign of a field, and waits until its description is shown.
	 *
	 * @returns the description
	 */
	async showDescription(name: string, text: string): Promise<Locator> {
		await this.descriptionSign(name).hover();
		const description = this.#descriptions.filter({ hasText: text });
		await description.waitFor();
		return description;
	}

	/** Takes the pointer away, because a description covers what is beside it. */
	async hideDescription(): Promise<void> {
		await this.nodeName.hover();
		await this.#descriptions.first().waitFor({ state: 'hidden' });
	}

	get #descriptions(): Locator {
		return this.page.locator('.n8n-tooltip').filter({ visible: true });
	}

	async fill(name: string, value: string): Promise<void> {
		await this.#input(name).locator('input, textarea').fill(value);
	}

	/** Opens a drop-down list. @returns the list */
	async openChoices(name: string): Promise<Locator> {
		await this.#input(name).click();
		const list = this.page.locator('.el-select-dropdown').filter({ visible: true });
		await list.locator(id('parameter-input-item')).first().waitFor();
		return list;
	}

	/** Chooses from the drop-down list that is open. @param label as the list shows it */
	async choose(label: string): Promise<void> {
		const choice = this.#shown('parameter-input-item', label);
		await choice.click();
		await choice.waitFor({ state: 'hidden' });
	}

	/** The choice that a drop-down list shows. */
	async chosen(name: string): Promise<string> {
		return await this.#input(name).locator('input').inputValue();
	}

	#input(name: string): Locator {
		return this.fields.locator(id(`parameter-input-${name}`)).first();
	}

	/** The entry of an open drop-down list; the entries of closed lists are hidden in the page. */
	#shown(kind: string, label: string): Locator {
		return this.page
			.locator(id(kind))
			.filter({ visible: true })
			.filter({ has: this.page.getByText(label, { exact: true }) });
	}

	/**
	 * Adds a member to a collection.
	 *
	 * @param only whether it is the only member: n8n shows a button instead of a list
	 */
	async addTo(collection: string, label: string, only: boolean): Promise<void> {
		const add = this.field(collection).locator(id('collection-parameter-add')).last();
		await add.click();
		if (!only) await this.#shown('collection-parameter-option', label).click();
	}

	/** A list of entries. */
	list(name: string): Locator {
		return this.fields.locator(id(`fixed-collection-${name}`));
	}

	/** A list of entries within a collection. */
	entries(name: string, collection: string): Locator {
		return this.field(collection).locator(id(`fixed-collection-${name}`));
	}

	async addEntry(list: Locator): Promise<void> {
		await list.locator(id('fixed-collection-add')).click();
	}

	/** Shows n8n's settings of the node instead of its parameters. */
	async openSettings(): Promise<void> {
		await this.#node.locator(id('tab-settings')).click();
	}

	get #node(): Locator {
		return this.page.locator(id('ndv'));
	}

	// A field with a searchable list

	/** @returns the list */
	async openList(name: string): Promise<Locator> {
		await this.#input(name).locator(id('rlc-input')).click();
		await this.listed.first().waitFor();
		return this.page.locator('[data-reka-popper-content-wrapper]').filter({ has: this.listed });
	}

	/** Closes a list without choosing. */
	async closeList(list: Locator): Promise<void> {
		await this.page.keyboard.press('Escape');
		await list.waitFor({ state: 'hidden' });
	}

	/** Opens a list that n8n cannot read. @returns what n8n shows in its place */
	async listProblem(name: string): Promise<string> {
		await this.#input(name).locator(id('rlc-input')).click();
		const problem = this.page.locator(id('rlc-error-container')).filter({ visible: true });
		await problem.waitFor();
		return await problem.innerText();
	}

	/** Enters an ID instead of choosing from the list. */
	async enterId(name: string, value: string): Promise<void> {
		await this.#input(name).locator(id('rlc-mode-selector')).click();
		await this.page.locator(id('mode-id')).filter({ visible: true }).click();
		await this.#input(name)
			.locator(`input${id('rlc-input')}, ${id('rlc-input')} input`)
			.fill(value);
	}

	/** The entries of the list. */
	get listed(): Locator {
		return this.page.locator(id('rlc-item')).filter({ visible: true });
	}

	async filterList(text: string): Promise<void> {
		await this.page.locator(id('rlc-search')).filter({ visible: true }).fill(text);
	}

	async pick(label: string): Promise<void> {
		await this.listed.filter({ hasText: label }).click();
		await this.listed.first().waitFor({ state: 'hidden' });
	}

	/** The name of what was picked. */
	async picked(name: string): Promise<string> {
		return await this.#input(name)
			.locator(`input${id('rlc-input')}, ${id('rlc-input')} input`)
			.inputValue();
	}

	// Running

	/** Runs the open node; a trigger begins to listen. */
	async execute(): Promise<void> {
		await this.#node.locator(id('node-execute-button')).click();
	}

	get output(): Locator {
		return this.#node.locator(id('output-panel'));
	}

	/** Waits until the open node has output. @returns the count of items as n8n shows it */
	async itemCount(): Promise<string> {
		const count = this.output.locator(id('ndv-items-count'));
		await count.waitFor({ timeout: RUN_LIMIT_MS });
		return (await count.innerText()).trim();
	}

	/** Waits until a text is in the output. */
	async outputShows(text: string): Promise<void> {
		await this.output.getByText(text).first().waitFor();
	}

	/** A hint above the output. */
	outputHint(text: RegExp): Locator {
		return this.output.locator(id('node-hint')).filter({ has: this.page.getByText(text) });
	}

	/** Shows the output as a list of fields and values. */
	async showSchema(): Promise<void> {
		await this.output.locator(id('radio-button-schema')).click();
	}

	/** Waits until the trigger that is open listens. */
	async listening(): Promise<void> {
		await this.output.getByText('Stop Listening').waitFor();
	}

	/** A notification in a corner of the window. */
	notification(title: string): Locator {
		return this.page.locator('.el-notification').filter({ hasText: title }).first();
	}

	/** Closes all notifications. */
	async closeNotifications(): Promise<void> {
		const notification = this.page.locator('.el-notification').first();
		const close = notification.locator('.el-notification__closeBtn');
		await waitFor('all notifications to close', RUN_LIMIT_MS, async () => {
			// A notification may close itself just before the click.
			await close.click({ timeout: CLICK_LIMIT_MS }).catch(() => {});
			return (await notification.isVisible()) ? undefined : true;
		});
	}

	// The dialog of a credential

	async newCredential(): Promise<void> {
		await this.fields.locator(id('node-credentials-empty-state')).click();
		await this.credential.waitFor();
	}

	async openCredential(): Promise<void> {
		await this.fields.locator(id('credential-edit-button')).click();
		await this.credential.waitFor();
	}

	get credential(): Locator {
		return this.page.locator(id('editCredential-modal'));
	}

	async fillCredential(name: string, value: string): Promise<void> {
		await this.credentialField(name).locator('input').fill(value);
	}

	credentialField(name: string): Locator {
		return this.credential.locator(id(`parameter-input-${name}`)).first();
	}

	/** Switches a field on, or off again. */
	async switchInCredential(name: string): Promise<void> {
		await this.credentialField(name).locator('.el-switch').click();
	}

	/** Saves the credential, which tests it. The dialog closes when the test succeeds. */
	async saveCredential(): Promise<void> {
		await this.credential.locator(id('credential-save-button')).click();
	}

	/** Waits until the test has failed. @returns all text of the dialog */
	async credentialProblem(): Promise<string> {
		const more = this.credential.getByText('More details');
		await more.click();
		await more.waitFor({ state: 'hidden' });
		return await this.credential.innerText();
	}

	async closeCredential(): Promise<void> {
		await this.credential.getByRole('button', { name: 'Close this dialog' }).click();
		await this.credential.waitFor({ state: 'hidden' });
	}

	// Publishing

	/** Asks n8n to publish the workflow. */
	async publish(): Promise<void> {
		await this.page.locator(id('workflow-open-publish-modal-button')).click();
		await this.page.locator(id('workflow-publish-button')).click();
	}

	/** The dialog that says that the workflow is published. */
	get published(): Locator {
		return this.page.locator(id('activation-modal'));
	}

	async closePublished(): Promise<void> {
		await this.published.getByRole('button', { name: 'Got it' }).click();
		await this.published.waitFor({ state: 'hidden' });
	}

	async openExecutions(): Promise<void> {
		await this.page.locator(id('radio-button-executions')).click();
		await this.executions.first().waitFor();
	}

	/** The list of executions, the newest first. */
	get executions(): Locator {
		return this.page.locator(
			`${id('current-executions-list')} [data-test-id^="execution-details-"]`,
		);
	}
}

/** The used part of a browser's Element; the tools are compiled without these types. */
interface PressTarget {
	addEventListener: (
		type: 'pointerdown',
		listener: (event: { isTrusted: boolean }) => void,
		options: { capture: boolean },
	) => void;
}

/** Runs in the browser, without access to this module. */
function startCounting(body: PressTarget): { presses: number } {
	const counter = { presses: 0 };
	const count = ({ isTrusted }: { isTrusted: boolean }) => {
		if (isTrusted) counter.presses += 1;
	};
	body.addEventListener('pointerdown', count, { capture: true });
	return counter;
}
