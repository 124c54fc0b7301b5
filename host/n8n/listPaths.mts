/** The field of the credential for a provider that has its list of assistants at another path. */
export interface ListPaths {
	assistantListPath: string;
}

/**
 * Where a provider has its list of assistants, for the credential.
 *
 * @param assume what differs at the provider: values by the keys of contract/assumptions.yaml
 * @returns undefined when it has it where the nodes look
 */
export function listPaths(assume: { [key: string]: unknown }): ListPaths | undefined {
	const { 'list-assistants-path': path } = assume;
	return typeof path === 'string' ? { assistantListPath: path } : undefined;
}
