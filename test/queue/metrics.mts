import { cpus, totalmem } from 'node:os';

/** What was measured, for docs/scaling.md. */
export class Figures {
	#lines: Array<[what: string, value: string]> = [];

	note(what: string, value: string): void {
		this.#lines.push([what, value]);
	}

	print(): void {
		const [cpu] = cpus();
		const memory = Math.round(totalmem() / 2 ** 30);
		console.log(
			`\nOn a machine with ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}) and ${memory} GB for everything:`,
		);
		for (const [what, value] of this.#lines) console.log(`  ${what}: ${value}`);
	}
}

/** A time in words: "12.3 s". */
export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
