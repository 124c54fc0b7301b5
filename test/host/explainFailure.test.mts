import { describe, expect, it } from '@jest/globals';
import { explainFailure } from '../../host/process/explainFailure.mts';

describe('what is wrong with the machine is said first', () => {
	it.each([
		[
			'a log of n8n on a full disk',
			new Error('n8n did not start. The end of its log:\nSQLITE_FULL: database or disk is full\n…'),
			/^The disk is full\..*\nn8n did not start\. The end of its log:\nSQLITE_FULL/,
		],
		[
			'an error behind another one',
			new Error('Could not install the package into n8n.', {
				cause: new Error("ENOSPC: no space left on device, copyfile 'a' -> 'b'"),
			}),
			/^The disk is full\..*\nCould not install the package into n8n\.$/,
		],
		[
			'a damaged database of n8n',
			new Error('n8n did not start.\nSQLITE_CORRUPT: database disk image is malformed'),
			/^n8n’s database, .* is damaged\..*delete the data folder/,
		],
		[
			'a file of another user',
			new Error("EACCES: permission denied, open 'n8n.log'"),
			/^A file or folder may not be written to\..*Make it yours.*\n.*n8n\.log/,
		],
	])('%s', (_what, error, words) => {
		expect(explainFailure(error)).toMatch(words);
	});

	it('a limit of the system on watched files is no full disk', () => {
		const message = 'ENOSPC: System limit for number of file watchers reached';
		expect(explainFailure(new Error(message))).toBe(message);
	});

	it('any other error keeps its words, once', () => {
		expect(explainFailure(new Error('No example has this name.'))).toBe(
			'No example has this name.',
		);
		const told = explainFailure(new Error('ENOSPC'));
		expect(explainFailure(new Error(told))).toBe(told);
	});
});
