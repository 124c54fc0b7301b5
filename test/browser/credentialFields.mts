import { assertLooksRight } from './appearance.mts';
import { THEMES } from './explanations.mts';
import { readCredentialFields } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

/** The switch that shows the paths of the lists, which few people need. */
const SWITCH = 'useOtherListPaths';

/** Every field of the credential opens and looks right in both themes. */
export async function credentialFields({
	browser,
	editor,
	check,
}: BrowserEnvironment): Promise<void> {
	const fields = await readCredentialFields(editor, SWITCH);
	await check('the credential shows all its fields', async () => {
		await browser.openNodeInNewWorkflow('Voice Assistant Calling');
		await browser.nodePanel.add('Stop campaign');
		await browser.credential.open();
		await browser.credential.toggle(SWITCH);
		for (const theme of THEMES) {
			await browser.useTheme(theme);
			for (const { name, label } of fields) {
				await browser.credential.element.getByText(label).first().waitFor();
				await browser.credential.field(name).waitFor();
			}
			await assertLooksRight(browser.credential.element);
		}
		await browser.credential.toggle(SWITCH);
		await browser.credential.save();
		// Unlike a new credential, it stays open.
		await browser.credential.element.getByText('Saved', { exact: true }).waitFor();
		await browser.credential.close();
		await browser.notifications.closeAll();
		await browser.node.close();
	});
}
