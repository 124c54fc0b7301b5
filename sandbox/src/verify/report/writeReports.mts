import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { jsonReport } from './json.mts';
import { junitReport } from './junit.mts';
import { markdownReport } from './markdown.mts';
import { providerFile } from './providerFile.mts';
import type { Report } from './report.mts';

const FILES = {
	'report.md': markdownReport,
	'report.json': jsonReport,
	'junit.xml': junitReport,
	'provider.yaml': providerFile,
};

/** Writes all reports into a folder. */
export async function writeReports(report: Report, folder: string): Promise<void> {
	for (const [name, write] of Object.entries(FILES)) {
		await writeFile(join(folder, name), write(report));
	}
}
