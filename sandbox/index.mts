import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance } from 'fastify';
import { parse } from 'yaml';

import { loadAssumptions, loadContract, type Contract } from './src/contract/contract.mts';
import { addControlRoutes, CONTROL_PATH } from './src/control/routes.mts';
import { invalid } from './src/base/response.mts';
import { advanceCall } from './src/simulation/advanceCall.mts';
import { dial } from './src/simulation/dialer.mts';
import { plant, type Complete } from './src/seed/loadSeed.mts';
import { readSeed, type Seed } from './src/seed/seedFormat.mts';
import { Faults } from './src/http/faults.mts';
import { Journal } from './src/http/journal.mts';
import { RateLimiter } from './src/http/rateLimit.mts';
import { sentences } from './src/contract/validationMessages.mts';
import { makeServer } from './src/http/server.mts';
import { Service } from './src/http/service.mts';
import { addServiceRoutes, BASE_PATH } from './src/http/serviceRoutes.mts';
import type { ClockMode } from './src/runtime/clock.mts';
import { Engine, type ClockOptions } from './src/runtime/engine.mts';
import { Scheduler } from './src/runtime/scheduler.mts';
import { TimerAgenda } from './src/runtime/timerJobs.mts';
import { Store } from './src/store/store.mts';
import { DeliveryQueue } from './src/outbound/deliveryQueue.mts';

/** How a sandbox is to be. Everything has a default. */
export interface SandboxOptions {
	/** 0 takes any free port. */
	port?: number;
	/** Keeps the state in this file; without it, the state lives and dies with the sandbox. */
	dataFile?: string;
	/** A seed, or the path of a seed file (YAML or JSON). Used while there is no data yet. */
	seed?: string | object;
	clock?: ClockMode | ClockOptions;
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
	/** Makes everything as it was in the beginning: data, ids, clock, faults, journal, deliveries. */
	reset(): Promise<void>;
	/** Stops serving. With a data file, what is not done goes on at the next start. */
	close(): Promise<void>;
}

const HOST = '127.0.0.1';
const DEFAULT_SEED = fileURLToPath(new URL('seeds/default.yaml', import.meta.url));

/**
 * Starts the service on this machine.
 * @throws {Error} in words, when the port or the data file is in use, or an option is not right
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 4010, clock = 'real' } = options;
	const contract = await loadContract();
	const assumptions = await loadAssumptions(options.assume ?? {});
	const seed = await loadSeed(options.seed ?? DEFAULT_SEED);
	const store = new Store(options.dataFile);
	try {
		const clockOptions = typeof clock === 'string' ? { mode: clock } : clock;
		const engine = new Engine(store, assumptions, clockOptions);
		return await serve(engine, contract, seed, port);
	} catch (error) {
		store.close();
		throw error;
	}
}

async function serve(
	engine: Engine,
	contract: Contract,
	seed: Seed,
	port: number,
): Promise<Sandbox> {
	const { store, assumptions, clock } = engine;
	const deliveries = new DeliveryQueue(engine, contract);
	const timers = new TimerAgenda(engine, { 'advance-call': advanceCall, 'dial-campaign': dial });
	const scheduler = new Scheduler(clock, [timers, deliveries]);
	const journal = new Journal();
	const faults = new Faults();
	const limiter = new RateLimiter(assumptions.rateLimit);
	const service = new Service(engine, contract, limiter);
	const closing = new AbortController();
	const beginAnew = () => engine.commit((context) => plant(context, seed, completeBy(contract)));

	async function reset(): Promise<void> {
		scheduler.stop();
		await deliveries.cut();
		await scheduler.idle();
		engine.reset();
		journal.clear();
		faults.clear();
		limiter.clear();
		beginAnew();
		scheduler.resume();
	}

	const server = makeServer();
	const { signal } = closing;
	addServiceRoutes(server, { contract, service, clock, faults, journal, closing: signal });
	addControlRoutes(server, { engine, scheduler, faults, journal, reset });

	if (store.state.users.count() === 0) beginAnew();
	const address = await listen(server, port);
	const url = `${address}${BASE_PATH}`;
	engine.connect(url, () => scheduler.wake());
	scheduler.wake();
	return {
		url,
		token: store.state.users.first([])?.token ?? '',
		control: `${address}${CONTROL_PATH}`,
		reset,
		async close() {
			closing.abort();
			scheduler.stop();
			await deliveries.cut();
			await server.close();
			store.close();
		},
	};
}

async function listen(server: FastifyInstance, port: number): Promise<string> {
	try {
		return await server.listen({ host: HOST, port });
	} catch (error) {
		await server.close();
		const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		throw inUse
			? new Error(`Port ${port} is in use. Choose another one, or stop what uses it.`, {
					cause: error,
				})
			: error;
	}
}

async function loadSeed(seed: string | object): Promise<Seed> {
	if (typeof seed === 'object') return readSeed(seed);
	try {
		// JSON is YAML, too.
		return readSeed(parse(await readFile(seed, 'utf8')));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`The seed file ${seed} cannot be used: ${reason}`, { cause: error });
	}
}

/** Checks seeded records by the contract's create operations. */
function completeBy(contract: Contract): Complete {
	return (operationId, fields) => {
		const { errors, body } = contract.checkRequest(operationId, {}, fields);
		if (errors.length > 0) throw invalid(sentences(operationId, errors));
		return body;
	};
}
