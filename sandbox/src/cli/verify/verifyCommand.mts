import { mkdir, readFile } from 'node:fs/promises';

import * as z from 'zod';

import { currentTime, timeLimit } from '../../base/realTime.mts';
import { isLoopbackUrl } from '../../base/address.mts';
import { CHECKS } from '../../verify/checks.mts';
import type { Report } from '../../verify/report/report.mts';
import { findingLine, summary } from '../../verify/report/terminal.mts';
import { writeReports } from '../../verify/report/writeReports.mts';
import { exitStatus, verifyAccount, type KeyFinding } from '../../verify/verify.mts';
import { verifyHelpText } from './helpText.mts';
import { readVerifyOptions } from './readOptions.mts';
import { readToken } from './readToken.mts';
import { shutdownSignal } from './shutdownSignal.mts';

/** A run that takes longer ends. A service may ask for pauses. */
const LIMIT_MS = 30 * 60_000;

const KEY_WIDTH = Math.max(...CHECKS.map(({ key }) => key.length));

/**
 * The subcommand `verify`: checks an account, prints what it finds, and writes reports.
 *
 * @param args behind `verify`
 * @returns the exit status
 * @throws {InvalidInput} when the command line is wrong, or there is no token
 */
export async function verifyCommand(args: string[]): Promise<number> {
	const options = readVerifyOptions(args);
	if (!options) {
		console.log(verifyHelpText());
		return 0;
	}
	const { baseUrl, levels, report: folder } = options;
	const isLoopback = isLoopbackUrl(baseUrl);
	const { host, protocol } = new URL(baseUrl);
	if (protocol === 'http:' && !isLoopback) {
		console.error(
			`Warning: the API token goes to ${host} without encryption. Use https if the service has it.`,
		);
	}
	// Before the run: otherwise its result could be lost.
	if (folder !== undefined) await mkdir(folder, { recursive: true });
	const signal = timeLimit(LIMIT_MS, shutdownSignal());
	const token = await readToken(signal);
	const result = await verifyAccount({
		baseUrl,
		token,
		levels,
		signal,
		// Nobody else uses a service on this machine.
		...(isLoopback && { pause: 0 }),
		onFinding: printer(),
	});
	const report: Report = {
		provider: host,
		at: currentTime().toISOString(),
		version: await readVersion(),
		levels,
		...result,
	};
	console.log(summary(report));
	if (folder !== undefined) {
		await writeReports(report, folder);
		console.log(`The reports are in ${folder}.`);
		if (result.stopped === undefined) {
			console.log(`The sandbox behaves so with --assume-file ${folder}/provider.yaml`);
		}
	}
	return exitStatus(result);
}

/** Prints each finding in a line. A reason that many checks have one after the other is printed once. */
function printer(): (finding: KeyFinding) => void {
	let reason: string | undefined;
	return (finding) => {
		const { outcome, seen } = finding;
		const isSame = outcome === 'not checked' && seen === reason;
		reason = outcome === 'not checked' ? seen : undefined;
		console.log(
			findingLine(isSame ? { ...finding, seen: 'For the same reason.' } : finding, KEY_WIDTH),
		);
	};
}

/** The package and the repository have the same version, one of them at this place. */
async function readVersion(): Promise<string> {
	const file = new URL('../../../../package.json', import.meta.url);
	return z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).version;
}
