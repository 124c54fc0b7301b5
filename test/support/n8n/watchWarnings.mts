import { jest } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import { withoutOrigin } from '../logLine.mts';

type Logger = ExecuteContext['logger'];

/** Collects the warnings of the action node in n8n's log, until `jest.restoreAllMocks()`. */
export function watchWarnings(): string[] {
	const warnings: string[] = [];
	const logger: Partial<Logger> = {
		warn: (line) => void warnings.push(withoutOrigin(line)),
		info: () => undefined,
	};
	jest.spyOn(ExecuteContext.prototype, 'logger', 'get').mockReturnValue(logger as Logger);
	return warnings;
}
