import type { Checks } from '../support/checks.mts';
import { startFixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

/** An assistant that sends only completed calls: why did nothing arrive? */
export async function onlyCompletedCalls(
	checks: Checks,
	{ main, open, assertQuiet }: InspectorPage,
): Promise<void> {
	await checks.check(
		'a call that the assistant leaves out says why it has no webhook',
		async () => {
			const { sandbox, control, service } = await startFixture(checks);
			await open(sandbox.control, '#/assistants/1');
			await main.getByRole('heading', { name: 'After each call active' }).waitFor();
			await service.put('/user/assistant/1', { send_webhook_only_on_completed: true });
			const to = '+14155550102';
			const { id } = await control.outbound({ assistant_id: 1, to, scenario: 'no-answer' });
			await control.advance('PT5M');

			await open(sandbox.control, '#/assistants/1');
			await main.getByRole('heading', { name: 'After each completed call active' }).waitFor();
			await open(sandbox.control, `#/calls/${id}`);
			await main.getByText('left it out because of send_webhook_only_on_completed').waitFor();
			assertQuiet();
		},
	);
}
