import { cpus, totalmem } from 'node:os';

/** The measurements of the suite, for docs/scaling.md. */
export class QueueMetrics {
	#lines: string[] = [];

	record(what: string, value: string): void {
		this.#lines.push(`  ${what}: ${value}`);
	}

	print(): void {
		const [cpu] = cpus();
		const memory = Math.round(totalmem() / 2 ** 30);
		console.log(
			`\nOn a machine with ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}) and ${memory} GB for everything:`,
		);
		for (const line of this.#lines) console.log(line);
	}
}

/** A duration as text: "12.3 s". */
export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
