import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance } from 'fastify';
import { parse } from 'yaml';

import { InvalidInput } from './src/base/invalidInput.mts';
import { loadAssumptions } from './src/contract/assumptions.mts';
import { loadContract, type Contract } from './src/contract/contract.mts';
import { Store } from './src/store/store.mts';
import type { Context } from './src/domain/context.mts';
import { advanceCall } from './src/simulation/advanceCall.mts';
import { callLeads } from './src/simulation/callLeads.mts';
import { continueCall } from './src/simulation/nextStep.mts';
import { deliveryQueue } from './src/outbound/deliveryQueue.mts';
import { toolRequestQueue } from './src/outbound/toolRequestQueue.mts';
import { loadSeed } from './src/seed/loadSeed.mts';
import { readSeed, type Seed } from './src/seed/seedFormat.mts';
import type { ClockMode } from './src/runtime/clock.mts';
import { SandboxEngine, type ClockOptions } from './src/runtime/engine.mts';
import { Scheduler } from './src/runtime/scheduler.mts';
import { TimerJobs } from './src/runtime/timerJobs.mts';
import { isLoopback, LOOPBACK, originOf } from './src/http/address.mts';
import { Faults } from './src/http/faults.mts';
import { Journal } from './src/http/journal.mts';
import { addServiceRoutes, BASE_PATH } from './src/http/pipeline.mts';
import { addRecordingRoutes } from './src/http/recordings.mts';
import { RateLimiter } from './src/http/rateLimit.mts';
import { createServer } from './src/http/server.mts';
import { addControlRoutes, CONTROL_PATH } from './src/control/routes.mts';

/** Options of a sandbox. Everything has a default. */
export interface SandboxOptions {
	/** 0 takes any free port. */
	port?: number;
	/**
	 * The address to listen on, which only this machine reaches unless another one is given. Then
	 * everybody who reaches it can use the service, and the control API needs a token.
	 */
	host?: string;
	/** Keeps the state in this file; without it, the state lives and dies with the sandbox. */
	dataFile?: string;
	/** A seed, or the path of a seed file (YAML or JSON). Used while there is no data yet. */
	seed?: string | object;
	clock?: ClockMode | ClockOptions;
	/** How many times faster a call goes on than by its scenario; the clock does not change. */
	callSpeed?: number;
	/** Other values for keys of contract/assumptions.yaml. */
	assume?: { [key: string]: unknown };
}

/** A running sandbox. */
export interface Sandbox {
	/** The service's base URL, ending in `/api`. */
	url: string;
	/** The API token of the first user. */
	token: string;
	/** Base URL of the control API. */
	control: string;
	/** What the control API asks for; new at each start, and none on the loopback address. */
	controlToken?: string;
	/** Starts again: data, ids, clock, faults, journal, deliveries. */
	reset(): Promise<void>;
	/** Stops serving. With a data file, pending work resumes at the next start. */
	close(): Promise<void>;
}

/** An empty host would make the server listen on all addresses. */
const NO_HOST =
	'The host is empty. Use 127.0.0.1, another address of this machine, or 0.0.0.0 for all of them.';

const DEFAULT_SEED = fileURLToPath(new URL('seeds/default.yaml', import.meta.url));

/**
 * Starts the service on this machine.
 *
 * @throws {Error} when the port or the data file cannot be used, or an option is not possible
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 4010, host = LOOPBACK, clock = 'real', callSpeed = 1 } = options;
	if (host === '') throw new InvalidInput(NO_HOST);
	const assumptions = await loadAssumptions(options.assume ?? {});
	const seed = await readSeedOption(options.seed ?? DEFAULT_SEED);
	const store = new Store(options.dataFile);
	try {
		const clockOptions = typeof clock === 'string' ? { mode: clock } : clock;
		const engine = new SandboxEngine(store, assumptions, clockOptions, callSpeed);
		// Last, because it takes longest: a wrong option is reported at once.
		return await startServer(engine, store, await loadContract(), seed, { port, host });
	} catch (error) {
		store.close();
		throw error;
	}
}

async function startServer(
	engine: SandboxEngine,
	store: Store,
	contract: Contract,
	seed: Seed,
	where: { port: number; host: string },
): Promise<Sandbox> {
	const { state, assumptions, clock } = engine;
	const queues = [toolRequestQueue(engine, continueCall), deliveryQueue(engine, contract)];
	const abortRequests = () => Promise.all(queues.map((queue) => queue.abort()));
	const timers = new TimerJobs(engine, {
		'advance-call': advanceCall,
		'call-leads': callLeads,
	});
	const scheduler = new Scheduler(clock, [timers, ...queues]);
	const journal = new Journal();
	const faults = new Faults();
	const limiter = new RateLimiter(assumptions['rate-limit']);
	const closing = new AbortController();
	const checkFields = (operationId: string, fields: object) =>
		contract.validateRequest(operationId, {}, fields).body;
	const fill = (context: Context) => loadSeed(context, seed, checkFields);

	async function reset(): Promise<void> {
		scheduler.stop();
		try {
			await abortRequests();
			await scheduler.idle();
			engine.reset(fill);
			journal.clear();
			faults.clear();
			limiter.clear();
		} finally {
			if (!closing.signal.aborted) scheduler.resume();
		}
	}

	const server = createServer();
	addServiceRoutes(server, { engine, contract, limiter, faults, journal, closing: closing.signal });
	addRecordingRoutes(server, engine);
	const controlToken = isLoopback(where.host) ? undefined : randomBytes(16).toString('hex');
	addControlRoutes(server, { engine, scheduler, faults, journal, reset, controlToken });

	if (state.users.count() === 0) engine.commit(fill);
	const origin = await listen(server, where);
	const url = `${origin}${BASE_PATH}`;
	engine.connect(url, () => scheduler.wake());
	scheduler.wake();
	return {
		url,
		token: state.users.first([])?.token ?? '',
		control: `${origin}${CONTROL_PATH}`,
		...(controlToken !== undefined && { controlToken }),
		reset,
		async close() {
			closing.abort();
			scheduler.stop();
			await abortRequests();
			await server.close();
			store.close();
		},
	};
}

/** @returns the beginning of the server's URLs */
async function listen(
	server: FastifyInstance,
	{ port, host }: { port: number; host: string },
): Promise<string> {
	try {
		await server.listen({ host, port });
	} catch (error) {
		await server.close();
		throw new Error(listenFailure(error, port, host), { cause: error });
	}
	return originOf(host, (server.server.address() as AddressInfo).port);
}

function listenFailure(error: unknown, port: number, host: string): string {
	const { code, message } = error as NodeJS.ErrnoException;
	switch (code) {
		case 'EADDRINUSE':
			return `Port ${port} is in use by another program. Stop that program, or choose another port: --port 0 takes any free one.`;
		case 'EACCES':
			return `Port ${port} may not be used. Choose one above 1023, such as --port 4010.`;
		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return `This machine has no address ${host}. Use one that it has, or 0.0.0.0 for all of them.`;
		default:
			return `The sandbox cannot listen on ${host}, port ${port}. ${message}`;
	}
}

async function readSeedOption(seed: string | object): Promise<Seed> {
	if (typeof seed === 'object') return readSeed(seed);
	try {
		// YAML includes JSON. `<<` lets records share fields.
		return readSeed(parse(await readFile(seed, 'utf8'), { merge: true }));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`The seed file ${seed} cannot be used. ${reason}`, { cause: error });
	}
}
