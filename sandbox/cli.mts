import { parseArgs } from 'node:util';

import { createSandbox, type Sandbox } from './index.mts';
import { LOOPBACK } from './src/http/address.mts';
import { CLOCK_MODES } from './src/runtime/clock.mts';

const USAGE = `Usage: npm run sandbox -- [options]

  --port 4010          port to listen on; 0 takes any free one
  --host 127.0.0.1     address to listen on; 0.0.0.0 lets everybody in your network use the sandbox
  --seed FILE          what a new sandbox begins with (YAML or JSON)
  --data FILE          keep the state in this file; without it, in memory
  --clock MODE         real (default), accelerated or manual
  --speed N            how many times faster, with --clock accelerated
  --call-speed N       how many times faster calls are; the clock does not change
  --assume KEY=VALUE   another value for a key of contract/assumptions.yaml; may be repeated
  --json               print one line of JSON once it listens; npm itself is quiet with
                       npm run --silent sandbox -- --json
  --help               this text
`;

try {
	const options = readOptions();
	if (options === undefined) {
		console.log(USAGE);
	} else {
		const { json, ...wanted } = options;
		const sandbox = await createSandbox(wanted);
		// First, because a program may end the sandbox as soon as it has read the line.
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => void sandbox.close());
		}
		if (sandbox.controlToken !== undefined) console.error(warning(wanted.host));
		console.log(json ? asJson(sandbox) : forPeople(sandbox));
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}

function readOptions() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string', default: LOOPBACK },
			seed: { type: 'string' },
			data: { type: 'string' },
			clock: { type: 'string', default: 'real' },
			speed: { type: 'string' },
			'call-speed': { type: 'string', default: '1' },
			assume: { type: 'string', multiple: true, default: [] },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const mode = CLOCK_MODES.find((known) => known === values.clock);
	if (!mode) throw new Error(`--clock is ${CLOCK_MODES.join(', ')}; not "${values.clock}".`);
	if (values.speed !== undefined && mode !== 'accelerated') {
		throw new Error(`--speed is for --clock accelerated; the clock is ${mode}.`);
	}
	return {
		json: values.json,
		port: numberOf('--port', values.port),
		host: values.host,
		callSpeed: numberOf('--call-speed', values['call-speed']),
		...(values.seed !== undefined && { seed: values.seed }),
		...(values.data !== undefined && { dataFile: values.data }),
		clock: {
			mode,
			speed: values.speed === undefined ? undefined : numberOf('--speed', values.speed),
		},
		assume: Object.fromEntries(values.assume.map(readAssumption)),
	};
}

function numberOf(option: string, text: string): number {
	const number = Number(text);
	if (text === '' || !Number.isFinite(number) || number < 0) {
		throw new Error(`${option} takes a number, not "${text}".`);
	}
	return number;
}

/** `key=value`: the value is JSON, or text where it is none. */
function readAssumption(text: string): [key: string, value: unknown] {
	const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
	if (key === undefined || value === undefined) {
		throw new Error(`--assume takes key=value, not "${text}".`);
	}
	try {
		return [key, JSON.parse(value)];
	} catch {
		return [key, value];
	}
}

function asJson({ url, token, control, controlToken }: Sandbox): string {
	return JSON.stringify({ url, token, control, controlToken });
}

function warning(host: string): string {
	return `
Warning: the sandbox listens on ${host}. Everybody who reaches this machine there can use it, and can
make it send requests. Its control pages need the control token that is printed.`;
}

function forPeople({ url, token, control, controlToken }: Sandbox): string {
	const page = controlToken === undefined ? `${control}/` : `${control}/?token=${controlToken}`;
	return `
The sandbox is running. In n8n, make a "Voice Assistant Calling API" credential with

  Base URL   ${url}
  API Token  ${token}

See what happens, and move its clock:  ${page}
Everything else it can do: sandbox/README.md

Ctrl-C stops it.
`;
}
