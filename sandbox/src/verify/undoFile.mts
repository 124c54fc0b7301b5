import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, platform } from 'node:process';
import * as z from 'zod';

import { parseJson } from '../base/parseJson.mts';
import { Stop } from './stop.mts';
import { undoFormat, type Undo } from './undo.mts';

/** Tells accounts at one service from each other. The API token cannot be read from it. */
const account = z.object({ salt: z.string(), hash: z.string() }).strict();
const format = z.object({ base_url: z.string(), account, undo: z.array(undoFormat) }).strict();

const hashOf = (token: string, salt: string): string => scryptSync(token, salt, 32).toString('hex');

function accountOf(token: string): z.output<typeof account> {
	const salt = randomBytes(16).toString('hex');
	return { salt, hash: hashOf(token, salt) };
}

/** What is written down. */
export interface WrittenChanges {
	undo: Undo[];
	/** Whether it was changed with this API token. */
	isOwn: boolean;
}

/** Where programs keep what has to survive them. */
function stateFolder(): string {
	const isWindows = platform === 'win32';
	const named = isWindows ? env['LOCALAPPDATA'] : env['XDG_STATE_HOME'];
	return named || join(homedir(), isWindows ? 'AppData/Local' : '.local/state');
}

/** The folder with the files of all services. */
export const undoFolder = (): string => join(stateFolder(), 'voice-assistant-calling');

/** The file with the changes of one service. Only its owner can read it. */
export class UndoFile {
	readonly path: string;
	readonly baseUrl: string;
	readonly #token: string;
	/** Made once, because a hash that nobody can guess takes long. */
	#account: z.output<typeof account> | undefined;

	constructor(baseUrl: string, token: string, folder: string) {
		const hash = createHash('sha256').update(baseUrl).digest('hex').slice(0, 8);
		const host = new URL(baseUrl).host.replaceAll(/[^\w.-]/g, '-');
		this.path = join(folder, `undo-${host}-${hash}.json`);
		this.baseUrl = baseUrl;
		this.#token = token;
	}

	/** @throws {Stop} when there is a file that cannot be read */
	async read(): Promise<WrittenChanges> {
		let text: string;
		try {
			text = await readFile(this.path, 'utf8');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { undo: [], isOwn: true };
			throw new Stop(`The file ${this.path} cannot be read.`, { cause: error });
		}
		const { data } = format.safeParse(parseJson(text));
		if (data?.base_url === this.baseUrl) {
			const { undo, account } = data;
			return { undo, isOwn: account.hash === hashOf(this.#token, account.salt) };
		}
		throw new Stop(
			`The file ${this.path} should say what an earlier run has changed, and does not. Look at it, and remove it.`,
		);
	}

	/**
	 * Replaces what is written. When it returns, the disk has it. Without changes, there is no file.
	 *
	 * @throws {Stop} when it cannot be written
	 */
	async write(undo: readonly Undo[]): Promise<void> {
		try {
			if (undo.length === 0) {
				await rm(this.path, { force: true });
				return;
			}
			const folder = dirname(this.path);
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const draft = `${this.path}.new`;
			const file = await open(draft, 'w', 0o600);
			try {
				await file.writeFile(this.#textOf(undo));
				await file.sync();
			} finally {
				await file.close();
			}
			await rename(draft, this.path);
			await syncFolder(folder);
		} catch (error) {
			throw new Stop(`The file ${this.path} cannot be written, so nothing more is changed.`, {
				cause: error,
			});
		}
	}

	#textOf(undo: readonly Undo[]): string {
		this.#account ??= accountOf(this.#token);
		const content = { base_url: this.baseUrl, account: this.#account, undo };
		return JSON.stringify(content, undefined, '\t');
	}
}

/** Makes a rename last. Windows opens no folders. */
async function syncFolder(path: string): Promise<void> {
	if (platform === 'win32') return;
	const folder = await open(path);
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}
