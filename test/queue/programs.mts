import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Paths of the programs that n8n needs in queue mode. */
export interface Programs {
	/** the folder with PostgreSQL's programs */
	postgres: string;
	redis: string;
	haproxy: string;
	/** whom PostgreSQL runs as, because it refuses to run as root */
	user: { uid: number; gid: number } | undefined;
}

/**
 * Finds PostgreSQL, Redis and HAProxy on this machine.
 *
 * @throws Error that names the missing ones
 */
export async function findPrograms(): Promise<Programs> {
	const path = (process.env.PATH ?? '').split(delimiter);
	const holding = (program: string, folders: string[]): string | undefined =>
		folders.find((folder) => existsSync(join(folder, program)));
	// Debian does not put PostgreSQL's servers on PATH; each version has a folder.
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
	const users = await readFile('/etc/passwd', 'utf8');
	const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
	if (uid === undefined || gid === undefined) {
		throw new Error(
			'PostgreSQL refuses to be run by root, and this machine has no user "postgres" to run it as. Run this as another user.',
		);
	}
	return { uid: Number(uid), gid: Number(gid) };
}
