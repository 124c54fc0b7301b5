import { InvalidFile, readYamlFile, type FileContent } from '../base/yamlFile.mts';

/** Reads a seed, from its file or as the object that a program gives. @throws as {@link readYamlFile} */
export async function readSeed(seed: string | object): Promise<FileContent> {
	if (typeof seed === 'string') return readYamlFile('seed file', seed);
	return {
		// The program may change its own, and a reset loads this one again.
		value: structuredClone(seed),
		invalid: (faults) => new InvalidFile('The seed', faults),
	};
}
