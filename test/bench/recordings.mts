import assert from 'node:assert/strict';

import type { Files } from '../../host/api/execution.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { action, httpGet, node, start, START, workflow } from '../support/workflows.mts';
import { DEFAULT_CONCURRENT } from './leads.mts';
import { PER_PAGE } from './listPage.mts';
import { measureRun } from './measuredRun.mts';
import { mixedIds } from './mixedIds.mts';
import { recordingBytes } from './recording.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import type { BenchService } from './serviceClient.mts';

const SOURCE = 'IDs';
const DOWNLOAD = 'Download';

type Downloader = 'this node' | 'HTTP Request';

/** Measures *Call → Download Recording*, and HTTP Request with the same files, each in a new n8n. */
export async function recordings(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	const calls = quick ? 50 : 1_000;
	if (!quick) await environment.restart();
	const own = await downloadAll(round, calls, 'this node');
	if (quick) return;
	await environment.restart();
	const beside = await downloadAll(round, calls, 'HTTP Request');
	results.expect('time', own, beside, { atMost: 1.5 });
	results.expect('silence', own, beside, { atMost: 0.2 }, 'difference');
	results.expect('memoryGrowth', own, beside, { atMost: 1.25 });
}

async function downloadAll(
	{ environment, results, check }: Round,
	calls: number,
	by: Downloader,
): Promise<Subject> {
	const { service, credential } = environment;
	const subject = { work: `download ${calls.toLocaleString('en')} recordings of 200 KB`, by };
	const title = `${subject.work}, by ${by}`;
	await check(`${title}: each item has its file, and no token is sent`, async () => {
		const listing = downloadWorkflow(service, credential, by, calls);
		const measured = await measureRun(environment, title, listing, DOWNLOAD, { calls });
		const { execution, run, counts, metrics } = measured;
		assert.equal(execution.status, 'success', execution.error);
		assert.deepEqual(
			run.files.map(({ data }: Files) => data?.bytes),
			mixedIds(calls, 1, calls).map(recordingBytes),
		);
		assert.equal(counts.downloads, calls);
		assert.equal(counts.downloadsWithToken, 0);
		if (by === 'this node') {
			assert.equal(counts.requests, Math.ceil(calls / PER_PAGE));
			assert.ok(counts.peakInFlight <= DEFAULT_CONCURRENT);
		}
		results.record(subject, metrics);
	});
	return subject;
}

function downloadWorkflow(
	service: BenchService,
	credential: CredentialRef,
	by: Downloader,
	calls: number,
): Workflow {
	const callId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const downloader =
		by === 'this node'
			? action(DOWNLOAD, { resource: 'call', operation: 'downloadRecording', callId }, credential)
			: node(DOWNLOAD, 'n8n-nodes-base.httpRequest', 4.2, {
					url: `=${service.recordingUrl('{{ $json.id }}')}`,
					options: { response: { response: { responseFormat: 'file' } } },
				});
	const nodes = [start(), httpGet(SOURCE, service.idsUrl(calls, 1, calls)), downloader];
	return workflow('Recordings', nodes, [
		[START, SOURCE],
		[SOURCE, DOWNLOAD],
	]);
}
