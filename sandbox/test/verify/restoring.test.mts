import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import fc from 'fast-check';
import { UndoFile } from '../../src/verify/undoFile.mts';
import { exitStatus, verifyAccount } from '../../src/verify/verify.mts';
import { folderPerTest } from '../support/process.mts';
import { TOKEN } from './support/account.mts';
import { answering, assistants, SECRET_PART, startChangeable } from './support/changes.mts';
import { leaveWebhooks, undoFiles, verifyReversible } from './support/changes.mts';
import { startProxy, type ForwardedRequest } from './support/proxy.mts';

const folder = folderPerTest();

const script = fileURLToPath(new URL('support/reversibleProcess.mts', import.meta.url));

/** So many requests has a run at which Ctrl-C ends it early. At the two others, it is at its end. */
const REQUESTS = 43;

/** Moments of a run, the same ones for a seed: after which request, before or after the service got it. */
const moments = (seed: number, count: number) =>
	fc.sample(fc.tuple(fc.integer({ min: 2, max: REQUESTS }), fc.boolean()), {
		seed,
		numRuns: count,
	});

/** Calls `interrupt` at a moment. */
const at = (moment: number, isArrived: boolean, interrupt: () => Promise<void> | void) => ({
	before: async ({ number }: ForwardedRequest) => {
		if (number === moment && !isArrived) await interrupt();
		return undefined;
	},
	after: async ({ number }: ForwardedRequest) => {
		if (number === moment && isArrived) await interrupt();
		return undefined;
	},
});

/** Starts verify again, and asks for no level but what an earlier run has left. */
const startAgain = (baseUrl: string, questions = answering(false)) =>
	verifyAccount({
		target: { baseUrl },
		token: TOKEN,
		levels: ['address'],
		pause: 0,
		signal: new AbortController().signal,
		questions,
		folder: folder(),
	});

describe('what was changed is restored', () => {
	it.each(moments(1, 8))(
		'by the next start, when it is killed at request %i (%s)',
		async (moment, isArrived) => {
			await using provider = await startChangeable();
			const before = await assistants(provider.client);
			let kill = (): Promise<void> => Promise.resolve();
			await using proxy = await startProxy(
				provider.url,
				at(moment, isArrived, () => kill()),
			);
			const child = execa(process.execPath, [script, proxy.url, folder()], { reject: false });
			kill = async () => {
				child.kill('SIGKILL');
				await child;
			};
			expect((await child).signal).toBe('SIGKILL');

			const { stopped } = await startAgain(proxy.url);
			expect(stopped).toBeUndefined();
			expect(await assistants(provider.client)).toEqual(before);
			expect(await undoFiles(folder())).toEqual([]);
		},
	);

	it.each(moments(2, 12))(
		'at once, when Ctrl-C ends it at request %i (%s)',
		async (moment, isArrived) => {
			await using provider = await startChangeable();
			const before = await assistants(provider.client);
			const controller = new AbortController();
			await using proxy = await startProxy(
				provider.url,
				at(moment, isArrived, () => controller.abort()),
			);
			const { signal } = controller;
			const result = await verifyReversible({ baseUrl: proxy.url, folder: folder(), signal });
			expect(result.stopped).toContain('The verification was interrupted');
			expect(exitStatus(result)).toBe(2);
			expect(result.findings).toHaveLength(12);
			expect(await assistants(provider.client)).toEqual(before);
			expect(await undoFiles(folder())).toEqual([]);

			// A lead that was created is not called either.
			const calls = await provider.control.calls();
			await provider.client.post('/user/campaigns/update-status', {
				campaign_id: 1,
				action: 'start',
			});
			expect(await provider.control.calls()).toHaveLength(calls.length);
		},
	);
});

it('a lead that is being created at Ctrl-C is not called', async () => {
	await using provider = await startChangeable();
	const controller = new AbortController();
	await using proxy = await startProxy(provider.url, {
		before: ({ method, path }) => {
			if (method === 'POST' && path.endsWith('/user/lead')) controller.abort();
			return undefined;
		},
	});
	const { signal } = controller;
	await verifyReversible({ baseUrl: proxy.url, folder: folder(), signal });
	const calls = await provider.control.calls();
	await provider.client.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
	expect(await provider.control.calls()).toHaveLength(calls.length);
});

/** Whether a request sets the test URL as webhook. */
const setsWebhook = ({ method, text }: ForwardedRequest) =>
	method === 'PUT' && text.includes('Verify.Invalid');

describe('what somebody else has changed meanwhile', () => {
	it.each([
		['a webhook URL', { webhook_url: 'https://other.example/hook' }],
		['no webhook', { webhook_url: null }],
	])('is left: %s', async (_, change) => {
		await using provider = await startChangeable();
		await using proxy = await startProxy(provider.url, {
			after: async (request) => {
				if (setsWebhook(request)) await provider.client.put('/user/assistant/1', change);
				return undefined;
			},
		});
		const questions = answering();
		await verifyReversible({ baseUrl: proxy.url, folder: folder(), questions });
		const [one] = await assistants(provider.client);
		expect(one).toMatchObject(change);
		expect(questions.lines).toContain(
			'Left as it is, because somebody else has changed it: the webhook of assistant 1.',
		);
	});

	it('is kept: another tool of the assistant', async () => {
		await using provider = await startChangeable();
		const other = {
			name: 'other',
			description: 'Another one',
			endpoint: 'https://x.example',
			method: 'GET',
		};
		await provider.client.post('/user/tools', other);
		let isAdded = false;
		await using proxy = await startProxy(provider.url, {
			after: async ({ text }) => {
				const { tool_ids: ids = [] } = JSON.parse(text || '{}') as { tool_ids?: number[] };
				if (ids.length !== 2 || isAdded) return undefined;
				isAdded = true;
				await provider.client.put('/user/assistant/1', { tool_ids: [...ids, 2] });
				return undefined;
			},
		});
		await verifyReversible({ baseUrl: proxy.url, folder: folder() });
		const [one] = await assistants(provider.client);
		expect(one?.['tools']).toMatchObject([{ id: 1 }, { id: 2 }]);
	});
});

describe('when restoring fails', () => {
	/** A service that refuses to restore the webhook of assistant 1. */
	async function interrupted() {
		const provider = await startChangeable();
		const before = await assistants(provider.client);
		let isBroken = true;
		const proxy = await startProxy(provider.url, {
			before: ({ text }) => (isBroken && text.includes(SECRET_PART) ? 500 : undefined),
		});
		const questions = answering();
		const result = await verifyReversible({ baseUrl: proxy.url, folder: folder(), questions });
		return {
			provider,
			before,
			proxy,
			questions,
			result,
			repair: () => (isBroken = false),
			async [Symbol.asyncDispose]() {
				await proxy[Symbol.asyncDispose]();
				await provider[Symbol.asyncDispose]();
			},
		};
	}

	it('it says what is left, changes nothing more, and the next start restores', async () => {
		await using run = await interrupted();
		expect(run.result.stopped).toContain('Not everything that was changed could be restored.');
		expect(exitStatus(run.result)).toBe(2);
		expect(run.questions.lines).toContain(
			'Not restored: the webhook of assistant 1. The status was 500.',
		);
		const paths = (await run.provider.control.requests()).map(({ path }) => path);
		expect(paths.join('\n')).not.toMatch(/inbound|tools|lead/);

		const stillBroken = await startAgain(run.proxy.url);
		expect(stillBroken.stopped).toContain('Not everything');
		expect(stillBroken.findings).toMatchObject([{ key: 'address', outcome: 'as assumed' }]);
		const again = await verifyReversible({
			baseUrl: run.proxy.url,
			folder: folder(),
			questions: run.questions,
		});
		expect(new Set(again.findings.map(({ seen }) => seen))).toEqual(
			new Set(['The run ended before this check.']),
		);
		expect(run.questions.questions).toHaveLength(1);
		run.repair();
		expect((await startAgain(run.proxy.url)).stopped).toBeUndefined();
		expect(await assistants(run.provider.client)).toEqual(run.before);
		expect(await undoFiles(folder())).toEqual([]);
	});

	it('the printed command restores', async () => {
		await using run = await interrupted();
		run.repair();
		const command = run.questions.lines.findLast((line) => line.includes('curl')) ?? '';
		expect(command).not.toContain(TOKEN);
		const env = { VOICE_ASSISTANT_CALLING_TOKEN: TOKEN };
		await execa('sh', ['-c', `${command} --silent --fail`], { env });
		expect(await assistants(run.provider.client)).toEqual(run.before);
	});

	it('the file has no token, and only its owner can read it', async () => {
		await using run = await interrupted();
		const [name = ''] = await undoFiles(folder());
		const path = join(folder(), name);
		expect(run.questions.lines.join('\n')).toContain(path);
		const text = await readFile(path, 'utf8');
		expect(text).toContain(SECRET_PART);
		expect(text).not.toContain(TOKEN);
		expect((await stat(path)).mode & 0o077).toBe(0);
	});

	it('a file that cannot be understood stops the next start, and stays', async () => {
		await using run = await interrupted();
		const [name = ''] = await undoFiles(folder());
		await writeFile(join(folder(), name), '{');
		const count = run.proxy.count();
		expect((await startAgain(run.proxy.url)).stopped).toContain(join(folder(), name));
		expect(run.proxy.count()).toBe(count);
		expect(await undoFiles(folder())).toEqual([name]);
	});

	it('nothing is changed where it could not be written down', async () => {
		await using provider = await startChangeable();
		const link = join(folder(), 'leads-nowhere');
		await symlink(join(folder(), 'no', 'folder'), link);
		const result = await verifyReversible({ baseUrl: provider.url, folder: link });
		expect(result.stopped).toContain('cannot be written');
		const methods = (await provider.control.requests()).map(({ method }) => method);
		expect(new Set(methods)).toEqual(new Set(['GET']));
	});
});

it('a second run neither changes nor restores anything while the first one is there', async () => {
	await using provider = await startChangeable();
	const before = await assistants(provider.client);
	let second: string | undefined;
	await using proxy = await startProxy(provider.url, {
		after: async (request) => {
			if (setsWebhook(request))
				second ??= await startAgain(proxy.url).then(
					() => 'it began',
					(error: unknown) => String(error),
				);
			return undefined;
		},
	});
	const first = await verifyReversible({ baseUrl: proxy.url, folder: folder() });
	expect(second).toContain('Another run is checking this service. Let it end first.');
	expect(exitStatus(first)).toBe(0);
	expect(await assistants(provider.client)).toEqual(before);
});

it('a change that is not answered is looked at again by the next start', async () => {
	await using provider = await startChangeable();
	const before = await assistants(provider.client);
	let late: ForwardedRequest | undefined;
	await using proxy = await startProxy(provider.url, {
		before: (request) => {
			if (late || !setsWebhook(request)) return undefined;
			late = request;
			throw new Error('The connection breaks.');
		},
	});
	const questions = answering();
	const result = await verifyReversible({ baseUrl: proxy.url, folder: folder(), questions });
	expect(exitStatus(result)).toBe(2);
	expect(questions.lines).toContain(
		'The service did not answer a change, which may still take effect.',
	);
	await provider.client.put('/user/assistant/1', JSON.parse(late?.text ?? '') as object);
	expect((await startAgain(proxy.url)).stopped).toBeUndefined();
	expect(await assistants(provider.client)).toEqual(before);
	expect(await undoFiles(folder())).toEqual([]);
});

it('a lead that the service refuses to change is told once, and keeps nobody from anything', async () => {
	await using provider = await startChangeable();
	await using proxy = await startProxy(provider.url, {
		before: ({ method, path }) =>
			method === 'PUT' && path.includes('/user/leads/') ? 422 : undefined,
	});
	const questions = answering();
	const result = await verifyReversible({ baseUrl: proxy.url, folder: folder(), questions });
	expect(result.stopped).toBeUndefined();
	expect(questions.lines.join('\n')).toMatch(
		/Not completed: lead \d+\. The status was 422\. Look at it at the service's own website\./,
	);
	expect(await undoFiles(folder())).toEqual([]);
});

it('all changes are restored, even if the disk is full after the first one', async () => {
	await using provider = await startChangeable();
	const before = await assistants(provider.client);
	const changes = await leaveWebhooks(provider);
	const disk = join(folder(), 'disk');
	await using proxy = await startProxy(provider.url, {
		before: async ({ method }) => {
			if (method === 'GET') return undefined;
			// Nobody can write below a file.
			await rm(disk, { recursive: true });
			await writeFile(disk, '');
			return undefined;
		},
	});
	await new UndoFile(proxy.url, TOKEN, disk).write(changes);
	const result = await verifyAccount({
		target: { baseUrl: proxy.url },
		token: TOKEN,
		levels: ['address'],
		pause: 0,
		signal: new AbortController().signal,
		questions: answering(),
		folder: disk,
	});
	expect(result.stopped).toContain('cannot be written');
	expect(await assistants(provider.client)).toEqual(before);
});

it('changes of another account at the same service wait for it: reading goes on', async () => {
	await using provider = await startChangeable();
	const changes = await leaveWebhooks(provider);
	const file = new UndoFile(provider.url, 'another-token', folder());
	await file.write(changes);
	const count = (await provider.control.requests()).length;
	const questions = answering();
	const { stopped, findings } = await startAgain(provider.url, questions);
	expect({ stopped, findings }).toMatchObject({
		stopped: undefined,
		findings: [{ outcome: 'as assumed' }],
	});
	expect(questions.lines[0]).toContain('A run with another API token was interrupted.');
	const result = await verifyReversible({ baseUrl: provider.url, folder: folder(), questions });
	expect(result.stopped).toContain('A change with another API token is not restored');
	expect(questions.questions).toEqual([]);
	const received = (await provider.control.requests()).slice(count);
	expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['GET']));
	expect((await file.read()).undo).toEqual(changes);
	expect(JSON.stringify(await readFile(file.path, 'utf8'))).not.toContain('another-token');
});
