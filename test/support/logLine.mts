const ORIGIN = /^Workflow '.*' \(ID [^)]+\), node '.+?': /;

/** A line of the package in n8n's log, without the workflow and the node that each one begins with. */
export const withoutOrigin = (line: string): string =>
	ORIGIN.test(line) ? line.replace(ORIGIN, '') : `Without workflow and node: ${line}`;
