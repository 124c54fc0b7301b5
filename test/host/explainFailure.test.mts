import { describe, expect, it } from '@jest/globals';
import { explainFailure } from '../../host/process/explainFailure.mts';

const log = (line: string) => new Error(`n8n did not start. The end of its log:\n${line}`);

describe('what is wrong with the machine is said first', () => {
	it.each([
		[
			log('SQLITE_FULL: disk is full\n…'),
			/^The disk is full\..*\nn8n did not start\. .*\nSQLITE_FULL/,
		],
		[
			new Error('Could not install it.', {
				cause: new Error("ENOSPC: no space left, copyfile 'a'"),
			}),
			/^The disk is full\..*\nCould not install it\.$/,
		],
		[log('SQLITE_CORRUPT: malformed'), /^n8n’s database, .* is damaged\..*delete the data folder/],
		[log("EACCES: open 'n8n.log'"), /^A file or folder may not be written to\..*Make it yours.*\n/],
	])('%s', (error, words) => {
		expect(explainFailure(error)).toMatch(words);
	});

	it('any other error keeps its words, once, such as a limit of the system on watched files', () => {
		const other = 'ENOSPC: System limit for number of file watchers reached';
		expect(explainFailure(new Error(other))).toBe(other);
		const told = explainFailure(new Error('ENOSPC'));
		expect(explainFailure(new Error(told))).toBe(told);
	});
});
