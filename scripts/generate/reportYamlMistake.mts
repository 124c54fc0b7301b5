import { YamlMistake } from './requireYaml.mts';

/** Runs what reads the contract. A mistake in its YAML is one line, with the exit code 1. */
export async function reportYamlMistake(work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (!(error instanceof YamlMistake)) throw error;
		console.error(error.message);
		process.exitCode = 1;
	}
}
