import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import getPort, { portNumbers } from 'get-port';

import { InvalidInput } from './src/base/invalidInput.mts';
import {
	loadAssumptions,
	readAssumeFile,
	type Assumptions,
	type ChosenAssumptions,
} from './src/contract/assumptions.mts';
import { loadContract, type Contract } from './src/contract/contract.mts';
import type { ServiceName } from './src/contract/serviceNames.mts';
import type { WeatherName } from './src/weather/names.mts';
import { loadWeather, type WeatherOptions } from './src/weather/weather.mts';
import { Faults } from './src/faults/faults.mts';
import { MAX_EVENTS, type TimelineEvent } from './src/store/eventTable.mts';
import { Store } from './src/store/store.mts';
import type { Context } from './src/domain/context.mts';
import { addEvent } from './src/domain/events.mts';
import { advanceCall, showCallResult } from './src/simulation/advanceCall.mts';
import { callLeads } from './src/simulation/callLeads.mts';
import { continueCall } from './src/domain/call/startCall.mts';
import { deliveryQueue } from './src/outbound/deliveryQueue.mts';
import { questionQueue } from './src/outbound/questionQueue.mts';
import { toolRequestQueue } from './src/outbound/toolRequestQueue.mts';
import { loadSeed, seedFaults, seedScenarios } from './src/seed/loadSeed.mts';
import type { CheckFields } from './src/seed/loading.mts';
import { readSeed } from './src/seed/seedSource.mts';
import type { ClockMode } from './src/runtime/clock.mts';
import { SandboxEngine, type ClockOptions } from './src/runtime/engine.mts';
import { Scheduler } from './src/runtime/scheduler.mts';
import { timerJobs } from './src/runtime/timerJobs.mts';
import { isLoopback, LOOPBACK, toOrigin } from './src/base/address.mts';
import { Journal } from './src/http/journal.mts';
import { addServiceRoutes, BASE_PATH } from './src/http/pipeline.mts';
import { addRecordingRoutes } from './src/http/recordings.mts';
import { RateLimiter } from './src/http/rateLimit.mts';
import { RequestWeather } from './src/http/requestWeather.mts';
import { admitOnlyLoopbackHosts, createServer } from './src/http/server.mts';
import { addControlRoutes, CONTROL_PATH } from './src/control/routes.mts';

export { readAssumeFile } from './src/contract/assumptions.mts';

/** Options of a sandbox. Everything has a default. */
export interface SandboxOptions {
	/** 0 takes any free port. */
	port?: number | undefined;
	/**
	 * The address to listen on, which only this machine reaches unless another one is given. Then
	 * everybody who reaches it can use the service, and the control API needs a token.
	 */
	host?: string | undefined;
	/** Keeps the state in this file; without it, the state lives and dies with the sandbox. */
	dataFile?: string | undefined;
	/** A seed, or the path of a seed file (YAML or JSON). Used while there is no data yet. */
	seed?: string | object | undefined;
	clock?: ClockMode | ClockOptions;
	/** How many times faster a call goes on than by its scenario; the clock does not change. */
	callSpeed?: number | undefined;
	/** `current` behaves as newer documents say, `contract` as the contract; the file and `assume` win over it. */
	service?: ServiceName | undefined;
	/** A file with other values for keys of contract/assumptions.yaml (YAML or JSON). */
	assumeFile?: string | undefined;
	/** Other values for keys of contract/assumptions.yaml. They win over those of the file. */
	assume?: ChosenAssumptions;
	/** Ordinary weather makes the service slow and limited; `assume` and its file win over it. */
	weather?: WeatherName | WeatherOptions | undefined;
}

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
	/** Tells `listener` everything that has happened since the start, and from now on. */
	watch(listener: (event: TimelineEvent) => void): void;
	/** Stops serving. With a data file, pending work resumes at the next start. */
	close(): Promise<void>;
}

/** An empty host would make the server listen on all addresses. */
const NO_HOST =
	'The host is empty. Use 127.0.0.1, another address of this machine, or 0.0.0.0 for all of them.';

const DEFAULT_SEED = fileURLToPath(new URL('seeds/default.yaml', import.meta.url));

const CURRENT = fileURLToPath(new URL('presets/current.yaml', import.meta.url));

/** How a service behaves: values of assumptions by their keys. */
export const readService = async (service: ServiceName): Promise<ChosenAssumptions> =>
	service === 'contract' ? {} : readAssumeFile(CURRENT);

/**
 * Starts the service on this machine.
 *
 * @throws {InvalidFile} with every fault of the seed or of the file of assumptions, before the data file
 * is touched
 * @throws {Error} when the port or the data file cannot be used, or an option is not possible
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 4010, host = LOOPBACK, clock = 'real', callSpeed = 1 } = options;
	const { seed = DEFAULT_SEED, weather: begin = 'fair', service = 'contract' } = options;
	if (host === '') throw new InvalidInput(NO_HOST);
	const weather = await loadWeather(begin, {
		...(await readService(service)),
		...(options.assumeFile !== undefined && (await readAssumeFile(options.assumeFile))),
		...options.assume,
	});
	const { assumptions } = weather;
	const contract = await loadContract(assumptions);
	// Before the data file is touched.
	const { fill, scenarios } = await checkedSeed(seed, assumptions);
	const store = new Store(options.dataFile);
	try {
		const faults = new Faults();
		const engine = new SandboxEngine(
			store,
			weather,
			typeof clock === 'string' ? { mode: clock } : clock,
			callSpeed,
			faults,
			scenarios,
		);
		const parts = { engine, store, contract, faults, fill };
		return await startServer({ ...parts, port, host });
	} catch (error) {
		store.close();
		throw error;
	}
}

/**
 * Checks a seed, and starts nothing.
 *
 * @param seed the path of a seed file
 * @param assume other values for keys of contract/assumptions.yaml
 * @throws {InvalidFile} with every fault of the seed
 */
export async function checkSeed(seed: string, assume: ChosenAssumptions = {}): Promise<void> {
	const assumptions = await loadAssumptions(assume);
	await checkedSeed(seed, assumptions);
}

async function checkedSeed(seed: string | object, assumptions: Assumptions) {
	// A seed has the fields of the contract, whatever those of the service are.
	const own = { 'assistant-fields': 'contract', 'tool-fields': 'contract' } as const;
	const contract = await loadContract({ ...assumptions, ...own });
	const source = await readSeed(seed);
	/** Checks the fields of a seed's record as those of a create request. */
	const checkFields: CheckFields = (operationId, fields) =>
		contract.validateRequest(operationId, {}, fields, 'refused', true).body;
	const invalid = seedFaults(source.value, assumptions, checkFields);
	if (invalid.length > 0) throw source.invalid(invalid);
	return {
		fill: (context: Context) => loadSeed(context, source.value, checkFields),
		scenarios: seedScenarios(source.value),
	};
}

interface StartOptions {
	port: number;
	host: string;
	engine: SandboxEngine;
	store: Store;
	contract: Contract;
	faults: Faults;
	/** Puts the seed into an empty store. */
	fill: (context: Context) => void;
}

async function startServer(options: StartOptions): Promise<Sandbox> {
	const { engine, store, contract, faults, fill, port, host } = options;
	const { state, clock } = engine;
	const queues = [
		toolRequestQueue(engine, continueCall),
		questionQueue(engine, continueCall),
		deliveryQueue(engine, contract),
	];
	const abortRequests = () => Promise.all(queues.map((queue) => queue.abort()));
	const timers = timerJobs(engine, {
		'advance-call': advanceCall,
		'show-call-result': showCallResult,
		'call-leads': callLeads,
	});
	const scheduler = new Scheduler(clock, [timers, ...queues]);
	const journal = new Journal(store.requests, state.tokens, state.events.lastRequestId);
	const limiter = new RateLimiter(engine.assumptions);
	const weather = new RequestWeather(engine.weather);
	const controller = new AbortController();
	const closing = controller.signal;

	const reset = () =>
		replaceData(() => {
			engine.reset((context) => {
				addEvent(context, { kind: 'sandbox', text: 'The sandbox was reset.' });
				fill(context);
			});
		});
	const restore = (name: string) =>
		replaceData(() => {
			const text = `The snapshot "${name}" was restored.`;
			engine.restoreSnapshot(name, (context) => addEvent(context, { kind: 'sandbox', text }));
		});

	async function replaceData(replace: () => void): Promise<void> {
		scheduler.stop();
		try {
			await abortRequests();
			await scheduler.idle();
			replace();
			journal.restart(state.events.lastRequestId);
			faults.clear();
			limiter.clear();
			weather.clear();
		} finally {
			if (!closing.aborted) scheduler.resume();
		}
	}

	const server = createServer();
	const isOpen = !isLoopback(host);
	if (!isOpen) admitOnlyLoopbackHosts(server);
	addServiceRoutes(server, { engine, contract, limiter, weather, faults, journal, closing });
	addRecordingRoutes(server, engine);
	const controlToken = isOpen ? randomBytes(16).toString('hex') : undefined;
	const control = { engine, scheduler, faults, journal, reset, restore, closing, controlToken };
	addControlRoutes(server, control);
	const { lastId } = state.events;

	if (state.users.count() === 0) engine.reset(fill);
	try {
		await listen(host, port, () => server.listen({ host, port }));
	} catch (error) {
		await server.close();
		throw error;
	}
	const origin = toOrigin(host, (server.server.address() as AddressInfo).port);
	const url = `${origin}${BASE_PATH}`;
	engine.connect(url, () => scheduler.wake());
	scheduler.wake();
	return {
		url,
		token: state.users.first([])?.token ?? '',
		control: `${origin}${CONTROL_PATH}`,
		...(controlToken !== undefined && { controlToken }),
		reset,
		watch(listener) {
			state.events.list({ after: lastId, limit: MAX_EVENTS }).data.reverse().forEach(listener);
			state.events.listen(listener);
		},
		async close() {
			controller.abort();
			scheduler.stop();
			await abortRequests();
			await server.close();
			store.close();
		},
	};
}

/** A free port above one that is taken, because it is easy to remember. */
const nextFreePort = (taken: number, host: string): Promise<number> =>
	getPort({ host, port: portNumbers(Math.max(taken, 1024), 65_535) });

/** Begins to listen. @throws {Error} that says what to do when that is not possible */
async function listen(host: string, port: number, begin: () => Promise<unknown>): Promise<void> {
	try {
		await begin();
	} catch (error) {
		throw new Error(await listenFailure(error, port, host), { cause: error });
	}
}

async function listenFailure(error: unknown, port: number, host: string): Promise<string> {
	const { code, message } = error as NodeJS.ErrnoException;
	switch (code) {
		case 'EADDRINUSE':
			return `Port ${port} is in use by another program. Stop that program, or use a free port: --port ${await nextFreePort(port, host)}`;
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
