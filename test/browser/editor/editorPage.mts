import { expect, type Page, type PageScreenshotOptions, type TestInfo } from '@playwright/test';

import type { Owner } from '../../../host/api/editor.mts';
import { pictureFile } from '../../support/browserOptions.mts';
import { assertIconsLoad } from '../appearance.mts';
import { credentialDialog } from './credentialDialog.mts';
import { nodeDialog } from './nodeDialog.mts';
import { nodeForm } from './nodeForm.mts';
import { nodePanel } from './nodePanel.mts';
import { picker } from './picker.mts';
import { workflowPage } from './workflowPage.mts';

/** The action node with its triggers, as n8n lists it. */
export const NODE = 'Voice Assistant Calling';

const CLICK_LIMIT_MS = 1_000;

/** n8n's dark theme, and its light one, which stays. */
export const THEMES = ['dark', 'light'] as const;

/** See {@link openEditorPage}. */
export type EditorPage = ReturnType<typeof openEditorPage>;

/**
 * n8n's editor as a user operates it. This folder has every selector of the suite (n8n 2.41.1). Each
 * method waits until its effect is visible, and throws when that takes too long.
 *
 * @param url base URL of n8n
 */
export function openEditorPage(page: Page, url: string) {
	const node = nodeDialog(page);
	const form = nodeForm(page, node.element);
	const workflow = workflowPage(page);
	const panel = nodePanel(page);
	const notifications = page.locator('.el-notification');

	/** Opens the list of triggers and actions of the node in a new workflow. */
	const openNodeInNewWorkflow = async () => {
		await workflow.create();
		await panel.open(NODE);
		await panel.openNode(NODE);
	};
	/** Switches to n8n's light or dark theme. */
	const useTheme = async (colorScheme: 'light' | 'dark') =>
		await page.emulateMedia({ colorScheme });
	const closeNotifications = async () => {
		const close = notifications.first().locator('.el-notification__closeBtn');
		await expect(async () => {
			// A notification may close itself just before the click.
			await close.click({ timeout: CLICK_LIMIT_MS }).catch(() => {});
			await expect(notifications).toHaveCount(0, { timeout: 1 });
		}).toPass();
	};

	/** Takes a picture in each theme. */
	const takeInThemes = async (
		info: TestInfo,
		name: string,
		options: PageScreenshotOptions,
		show?: () => Promise<void>,
	) => {
		for (const theme of ['light', 'dark'] as const) {
			await useTheme(theme);
			await show?.();
			const other = theme === 'dark' ? '.svg' : '.dark.svg';
			const icons = page.locator('img[src*="/voiceAssistantCalling."]').filter({ visible: true });
			const oldIcons = page.locator(`[src$="/voiceAssistantCalling${other}"]`);
			await expect(icons.and(oldIcons)).toHaveCount(0);
			await assertIconsLoad(icons);
			const path = pictureFile(info, `${name}-${theme}.png`);
			await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...options });
		}
		await useTheme('light');
	};

	return {
		page,
		node,
		form,
		workflow,
		panel,
		picker: picker(page, form),
		credential: credentialDialog(page, form),
		openNodeInNewWorkflow,
		useTheme,
		closeNotifications,

		signIn: async ({ email, password }: Owner, address = `${url}/signin`) => {
			await page.goto(address);
			await page.getByTestId('emailOrLdapLoginId').locator('input').fill(email);
			await page.getByTestId('password').locator('input').fill(password);
			await page.getByTestId('form-submit-button').click();
			await page.waitForURL((now) => !now.pathname.startsWith('/signin'));
		},
		/** Adds a trigger or an action of the node to a new workflow, and opens it. */
		addToNewWorkflow: async (name: string) => {
			await openNodeInNewWorkflow();
			await panel.add(name);
			await form.fields.waitFor();
		},
		/** Adds a trigger that is a node of its own to a new workflow, and opens it. */
		addTriggerToNewWorkflow: async (search: string, name: string) => {
			await workflow.create();
			await panel.open(search);
			await panel.addTrigger(name);
			await form.fields.waitFor();
		},
		/** Waits for a notification. @returns its text */
		notification: async (title: string) =>
			await notifications.filter({ hasText: title }).first().innerText(),
		/** Runs the open node, and waits until its output has so many items. */
		run: async (items?: string) => {
			await node.execute();
			await node.hasOutput(items);
			await closeNotifications();
		},

		/** Leaves the workflow, for another test. */
		leave: async () => {
			if ((await notifications.count()) > 0) await closeNotifications();
			await workflow.leave();
			await expect(page.getByRole('dialog').filter({ visible: true })).toHaveCount(0);
		},

		/**
		 * Takes the same picture in n8n's light and dark theme.
		 *
		 * @param name stable, because the README refers to `<name>-light.png` and `<name>-dark.png`
		 * @param show opens the view again, if n8n 2.41 does not change its icons with the theme
		 */
		takePictures: async (info: TestInfo, name: string, show?: () => Promise<void>) =>
			await takeInThemes(info, name, {}, show),
		/** Takes pictures of the nodes of the open workflow, as {@link takePictures} does, without n8n's frame. */
		takeNodePictures: async (info: TestInfo, name: string) =>
			await takeInThemes(info, name, await workflow.nodesAlone()),
	};
}
