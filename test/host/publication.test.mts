import { expect, it } from '@jest/globals';
import { openEditor } from '../../host/api/editor.mts';
import { listenOnLoopback } from '../support/loopback.mts';

/** An n8n that tells of these statuses of the publication, the last one again and again. */
async function stubN8n(...statuses: string[]) {
	const { origin, close } = await listenOnLoopback((request, response) => {
		const isStatus = request.url === '/rest/workflows/w1/publication-status';
		const status = isStatus && statuses.length > 1 ? statuses.shift() : statuses[0];
		response.end(JSON.stringify({ data: isStatus ? { status } : { versionId: 'v1' } }));
	});
	return { editor: openEditor(origin), [Symbol.asyncDispose]: close };
}

it('unpublishing takes the answer after the first one that is not in progress', async () => {
	await using n8n = await stubN8n('in_progress', 'in_progress', 'published', 'not_published');
	await expect(n8n.editor.unpublish('w1')).resolves.toBeUndefined();
});

it('unpublishing fails when the workflow stays published', async () => {
	await using n8n = await stubN8n('in_progress', 'published');
	await expect(n8n.editor.unpublish('w1')).rejects.toThrow(
		'n8n refused to unpublish the workflow: published',
	);
});

it('publishing takes the answer after the first one that is not in progress', async () => {
	await using n8n = await stubN8n('in_progress', 'not_published', 'in_progress', 'published');
	await expect(n8n.editor.publish('w1')).resolves.toBeUndefined();
});

it('publishing fails when a trigger is not registered', async () => {
	await using n8n = await stubN8n('in_progress', 'published', 'failed');
	await expect(n8n.editor.publish('w1')).rejects.toThrow(
		'n8n refused to publish the workflow (failed)',
	);
});
