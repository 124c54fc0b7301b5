import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where the programs are that n8n needs in queue mode. */
export interface Programs {
	/** the folder of PostgreSQL's programs */
	postgres: string;
	redis: string;
	haproxy: string;
	/** who PostgreSQL has to run as, because it refuses to be run by root */
	user: { uid: number; gid: number } | undefined;
}

/**
 * Finds PostgreSQL, Redis and HAProxy on this machine.
 *
 * @throws Error in words when one is missing
 */
export async function findPrograms(): Promise<Programs> {
	const path = (process.env.PATH ?? '').split(delimiter);
	const holding = (program: string, folders: string[]): string | undefined =>
		folders.find((folder) => existsSync(join(folder, program)));
	// Debian keeps PostgreSQL's servers out of PATH, one folder for each version.
	const versions = globSync('/usr/lib/postgresql/*/bin');
	const postgres = holding('initdb', [...versions.sort().reverse(), ...path]);
	const redis = holding('redis-server', [...path, '/usr/bin']);
	const haproxy = holding('haproxy', [...path, '/usr/sbin']);
	if (postgres === undefined || redis === undefined || haproxy === undefined) {
		const found = { postgresql: postgres, 'redis-server': redis, haproxy };
		const missing = Object.entries(found).flatMap(([name, at]) => (at === undefined ? [name] : []));
		throw new Error(
			`Not found on this machine: ${missing.join(', ')}. Install what is missing (Debian, Ubuntu: apt-get install ${missing.join(' ')}) and run this again. They need not be running: this suite starts its own.`,
		);
	}
	return {
		postgres,
		redis: join(redis, 'redis-server'),
		haproxy: join(haproxy, 'haproxy'),
		user: await unprivilegedUser(),
	};
}

async function unprivilegedUser(): Promise<Programs['user']> {
	if (process.getuid?.() !== 0) return undefined;
	const accounts = await readFile('/etc/passwd', 'utf8');
	const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(accounts) ?? [];
	if (uid === undefined || gid === undefined) {
		throw new Error(
			'PostgreSQL refuses to be run by root, and this machine has no user "postgres" to run it as. Run this as another user.',
		);
	}
	return { uid: Number(uid), gid: Number(gid) };
}
