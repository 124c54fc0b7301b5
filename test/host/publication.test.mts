import { expect, it } from '@jest/globals';
import { openEditor } from '../../host/api/editor.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { listenOnLoopback } from '../support/loopback.mts';

/** What happens at an n8n that tells of these statuses of the publication, the last one again and again. */
it.each([
	['unpublish', 'in_progress in_progress published not_published', 'done'],
	['unpublish', 'in_progress published', 'n8n refused to unpublish the workflow: published'],
	['publish', 'in_progress not_published in_progress published', 'done'],
	['publish', 'in_progress published failed', 'n8n refused to publish the workflow (failed): '],
] as const)('%s takes the answer after the first that is not in progress: %s', async (...row) => {
	const [action, told, result] = row;
	const statuses = told.split(' ');
	await using server = await listenOnLoopback((request, response) => {
		const isStatus = request.url === '/rest/workflows/w1/publication-status';
		const status = isStatus && statuses.length > 1 ? statuses.shift() : statuses[0];
		response.end(JSON.stringify({ data: isStatus ? { status } : { versionId: 'v1' } }));
	});
	const editor = openEditor(server.origin);
	expect(await editor[action]('w1').then(() => 'done', errorMessage)).toBe(result);
});
