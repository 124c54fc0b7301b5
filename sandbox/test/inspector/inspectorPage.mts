import { expect, test as base, type Page } from '@playwright/test';

import { LOOPBACK } from '../../../host/process/ports.mts';
import { collectConsoleErrors } from '../../../test/browser/consoleErrors.mts';
import { assertAccessible } from '../../../test/support/accessibility.mts';
import { createSandboxClient } from '../../client.mts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../index.mts';
import { serviceClient } from '../support/client.mts';
import { startReceiver, type Receiver } from '../support/receiver.mts';
import { NOW, seed, TOKEN } from './seed.mts';

export const JSON_TYPE = { 'content-type': 'application/json' };

export const SCREENS = {
	desktop: { width: 1280, height: 860 },
	phone: { width: 360, height: 740 },
};

/** The used part of a browser's elements; the tools are compiled without these types. */
interface PageElement {
	scrollWidth: number;
	clientWidth: number;
	ownerDocument: {
		defaultView: { navigator: { clipboard: { readText: () => Promise<string> } } };
	};
}

/** A sandbox with its inspector in a browser. */
export interface Inspector extends ReturnType<typeof openInspector> {
	/** Starts another sandbox, until the end of the test. */
	startSandbox: (options: SandboxOptions) => Promise<Sandbox>;
}

/** A test with a new sandbox. It also fails when the browser reports errors. */
export const test = base.extend<{ inspector: Inspector }>({
	async inspector({ page }, use) {
		const started: Array<{ close: () => Promise<void> }> = [];
		const startSandbox = async (options: SandboxOptions) => {
			const sandbox = await createSandbox({ port: 0, clock: 'manual', ...options });
			started.push(sandbox);
			return sandbox;
		};
		const receiver = await startReceiver();
		started.push(receiver);
		const clock = { mode: 'manual', now: NOW } as const;
		const sandbox = await startSandbox({ clock, seed: seed(receiver.url) });
		const consoleErrors = collectConsoleErrors(page, `http://${LOOPBACK}`);
		const inspector = openInspector(page, sandbox, receiver);
		await use({ ...inspector, startSandbox });
		consoleErrors.assertNone(...inspector.expectedErrors);
		for (const { close } of started.reverse()) await close();
	},
});

/**
 * Lead 5 is added to a campaign that is started, its call is over, and the webhook has failed, because
 * the receiver answered like an n8n without a published workflow.
 */
export async function tellStoryOfLead5({ inspector }: { inspector: Inspector }): Promise<void> {
	const { control, service, receiver } = inspector;
	const body = '{"code":404,"message":"The requested webhook is not registered."}';
	receiver.respond(404, body, JSON_TYPE);
	await service.post('/user/lead', {
		campaign_id: 1,
		phone_number: '+14155550105',
		variables: { customer_name: 'Eva Brandt', email: 'eva@example.com' },
	});
	await service.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
	await control.advance('PT5M');
	receiver.clear();
}

function openInspector(page: Page, sandbox: Sandbox, receiver: Receiver) {
	const main = page.getByRole('main');
	const dialog = page.getByRole('dialog');
	const html = page.locator('html');
	return {
		sandbox,
		control: createSandboxClient(sandbox.control),
		service: serviceClient(sandbox.url, TOKEN),
		/** Takes the webhooks and the requests to the tool. */
		receiver,

		page,
		main,
		dialog,
		/** The entry that is opened beside a list. */
		panel: main.locator('.panel'),
		/** The rows of a list, without its head. */
		rows: main.getByRole('row').filter({ has: page.getByRole('cell') }),
		/** What the last action did. */
		message: page.getByRole('status'),
		expectedErrors: [] as RegExp[],

		/**
		 * Opens a view as a link does, and waits until it is live.
		 *
		 * @param hash such as "#/calls/12"
		 * @param control base URL of a sandbox's control API
		 */
		open: async (hash: string, control = sandbox.control) => {
			// Another hash alone would not load the page.
			await page.goto('about:blank');
			await page.goto(`${control}/${hash}`);
			await page.getByText('Live', { exact: true }).waitFor();
			await main.getByRole('heading', { level: 1 }).waitFor();
		},
		/** Presses a button, of several the first. */
		press: async (name: string, inside = page.locator('body')) =>
			await inside.getByRole('button', { name, exact: true }).first().click(),
		/** Opens the clock from the head of the page, presses a button, and closes it. */
		pressClock: async (name: string) => {
			await page.getByRole('button', { name: /^Clock: / }).click();
			await page.getByRole('group', { name: 'Clock' }).getByRole('button', { name }).click();
			await page.keyboard.press('Escape');
		},
		/** Chooses from a list of the dialog. */
		choose: async (name: string, option: string) =>
			await dialog.getByRole('combobox', { name }).selectOption(option),
		/** Expects that one need not scroll sideways. */
		assertFits: async (part = html) => {
			const hidden = (element: PageElement) => element.scrollWidth - element.clientWidth;
			expect(await part.evaluate(hidden), 'what is too wide').toBe(0);
		},
		/** Expects that nothing keeps somebody out. */
		assertAccessible: async () => await assertAccessible(page),
		/** What was copied last. */
		clipboard: () =>
			html.evaluate(({ ownerDocument }: PageElement) =>
				ownerDocument.defaultView.navigator.clipboard.readText(),
			),
	};
}
