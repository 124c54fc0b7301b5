import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import type { Editor } from '../host/api/editor.mts';
import { openGallery } from '../host/gallery/openGallery.mts';
import { republish } from '../host/gallery/republish.mts';
import { THANK_BY_SMS } from '../host/n8n/examples.mts';
import { installN8n } from '../host/n8n/installN8n.mts';
import { listPaths, type ListPaths } from '../host/n8n/listPaths.mts';
import { OWNER, provision } from '../host/n8n/provision.mts';
import { startN8nWithPackage } from '../host/n8n/startN8nWithPackage.mts';
import { RELOAD, watchPackage } from '../host/n8n/watchPackage.mts';
import { openDataFolder, quoted } from '../host/process/dataFolder.mts';
import { requireFreePorts } from '../host/process/ports.mts';
import { runCommand } from '../host/process/runCommand.mts';
import type { Sandbox } from '../sandbox/index.mts';
import { SERVICES, type ServiceName } from '../sandbox/src/contract/serviceNames.mts';
import { WEATHERS, type WeatherName } from '../sandbox/src/weather/names.mts';

const ROOT = dirname(import.meta.dirname);
const DATA = join(ROOT, '.data');
const SEED = join(ROOT, 'sandbox/seeds/gallery.yaml');

/** A call of a minute takes six seconds. The clock of the sandbox stays right, as n8n's. */
const CALL_SPEED = 10;

/** Where the user runs the command; npm runs scripts in the folder of the package. */
const USERS_FOLDER = process.env.INIT_CWD ?? process.cwd();

const USAGE = `Usage: npm start -- [options]

  --port 5678           port of n8n
  --sandbox-port 4010   port of the sandbox
  --data FOLDER         keeps the data of n8n and of the sandbox; .data/ of this repository if left out
  --seed FILE           accounts, assistants and campaigns of a new sandbox (YAML or JSON), such as
                        sandbox/seeds/threeClients.yaml; it needs a new --data FOLDER
  --service NAME        contract, or current: a sandbox with the fields of newer public documents
  --assume-file FILE    how a provider behaves, for the sandbox (YAML)
  --weather NAME        fair, or ordinary: a sandbox that is slow and limited, as services are
  --watch               compiles the nodes at each save, and has n8n load them again: npm run dev
`;

await runCommand(async (cleanup) => {
	const options = readOptions();
	if (options === undefined) {
		console.log(USAGE);
		return;
	}
	const { port, sandboxPort, data, seed, service, assumeFile, weather, isWatching } = options;
	const name = isWatching ? 'npm run dev' : 'npm start';
	const command = `${name} --${optionText('data', data, DATA)}${optionText('seed', seed, SEED)}${optionText('service', service, 'contract')}${optionText('assume-file', assumeFile, undefined)}${optionText('weather', weather, 'fair')}`;
	// Not before: the help needs no sandbox.
	const { checkSeed, createSandbox, readAssumeFile, readService } =
		await import('../sandbox/index.mts');
	// Before n8n, which takes longer.
	const assume = {
		...(await readService(service)),
		...(assumeFile !== undefined && (await readAssumeFile(assumeFile))),
	};
	await checkSeed(seed, assume);
	await cleanup.use(
		openDataFolder(data, ['n8n', 'n8n/.n8n', 'n8n/.n8n/database.sqlite', 'sandbox.db']),
	);
	await requireFreePorts(command, [
		{ port, owner: 'n8n', option: '--port' },
		{ port: sandboxPort, owner: 'the sandbox', option: '--sandbox-port' },
	]);
	await installN8n('current', cleanup.shutdownSignal);

	const dataFile = join(data, 'sandbox.db');
	if (seed !== SEED && existsSync(dataFile)) {
		console.log(
			`The sandbox continues with its data of last time. "Reset" in its page begins with ${seed}.`,
		);
	}
	console.log('Starting n8n and the sandbox …');
	const userFolder = join(data, 'n8n');
	const env = isWatching ? RELOAD : {};
	const n8nOptions = { host: 'current', userFolder, port, env, cleanup } as const;
	const { n8n, editor, isSignedIn } = await startN8nWithPackage(n8nOptions);
	// After n8n, because the sandbox delivers at once what is still pending.
	const sandbox = await cleanup.use(
		createSandbox({
			...{ port: sandboxPort, dataFile, seed, callSpeed: CALL_SPEED },
			...{ assume, weather },
		}),
	);

	const text = isSignedIn
		? welcome(editor, n8n.url, { ...sandbox, listPaths: listPaths(assume) }, data)
		: Promise.resolve(signedOutText(n8n.url, sandbox, data));
	console.log(await Promise.race([text, n8n.failure]));
	if (isWatching) {
		await watchPackage({ userFolder }, cleanup);
		console.log('  Save a file of nodes/ or credentials/: n8n then loads it again.\n');
	}
	await n8n.failure;
});

/** @returns undefined when the user wants to read about the options */
function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '4010' },
			data: { type: 'string', default: DATA },
			seed: { type: 'string', default: SEED },
			service: { type: 'string', default: 'contract' },
			'assume-file': { type: 'string' },
			weather: { type: 'string', default: 'fair' },
			watch: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const assumeFile = values['assume-file'];
	return {
		port: parsePort(values.port),
		sandboxPort: parsePort(values['sandbox-port']),
		data: resolve(USERS_FOLDER, values.data),
		seed: resolve(USERS_FOLDER, values.seed),
		isWatching: values.watch,
		service: parseService(values.service),
		weather: parseWeather(values.weather),
		assumeFile: assumeFile === undefined ? undefined : resolve(USERS_FOLDER, assumeFile),
	};
}

function parsePort(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`"${text}" is not a port. A port is a whole number from 1 to 65535.`);
}

function parseService(text: string): ServiceName {
	const service = SERVICES.find((name) => name === text);
	if (service === undefined)
		throw new Error(`--service takes ${SERVICES.join(' or ')}, not "${text}".`);
	return service;
}

function parseWeather(text: string): WeatherName {
	const weather = WEATHERS.find((name) => name === text);
	if (weather === undefined)
		throw new Error(`--weather takes ${WEATHERS.join(' or ')}, not "${text}".`);
	return weather;
}

/** An option as the user has given it; nothing when it has its standard value. */
function optionText(name: string, value: string | undefined, standard: string | undefined): string {
	return value === undefined || value === standard ? '' : ` --${name} ${quoted(value)}`;
}

/** A folder as one writes it where the command was run. */
function displayPath(folder: string): string {
	return `${relative(USERS_FOLDER, folder) || '.'}/`;
}

/** Prepares everything, and says what to do. */
async function welcome(
	editor: Editor,
	n8n: string,
	sandbox: Sandbox & { listPaths: ListPaths | undefined },
	data: string,
): Promise<string> {
	console.log('Preparing the examples …');
	const provisioned = await provision(editor, sandbox);
	const gallery = await openGallery(editor, provisioned, `${sandbox.control}/`);
	const unpublished = await republish(editor, n8n, sandbox, provisioned.credential);
	const warnings = [...gallery.warnings, ...unpublished];
	return `
  ${
		gallery.isFirst
			? 'Ready. Open this page, sign in, and click Execute workflow:'
			: 'Ready again, with the workflows and calls of last time. Open this page, and click Execute workflow:'
	}

    ${n8n}/workflow/${gallery.startHere.id}

  Sign in with     ${OWNER.email}   password: ${OWNER.password}
  Watch the calls  ${sandbox.control}/

  1. Execute workflow calls one person. The call lasts some seconds, and nobody is really called.
  2. ${
		gallery.isPublished
			? `When it is over, n8n runs "${THANK_BY_SMS}" by itself: click "all executions" on the page.`
			: `"${THANK_BY_SMS}" is not published now. Once it is, the end of a call starts it.`
	}
  3. The page links to all ${provisioned.examples.length} examples, sorted by what they are for.

  Ctrl-C stops everything. Your data stays in ${displayPath(data)}; delete that folder to begin anew.
${warnings.map((warning) => `\n  ! ${warning}\n`).join('')}`;
}

function signedOutText(n8n: string, sandbox: Sandbox, data: string): string {
	return `
  Ready. Open this page, and sign in with your own account:

    ${n8n}

  Watch the calls  ${sandbox.control}/

  ${OWNER.email} with the password ${OWNER.password} is no longer n8n's owner, so the credential and the
  workflows were left as they are. To begin anew, stop with Ctrl-C and delete ${displayPath(data)}.
`;
}
