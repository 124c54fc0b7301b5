import {
	SOURCE_FILE_PATTERNS,
	analyzePackage,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

// n8n's scanner as a program: `node scan.mts <folder> <source|tarball>`. Prints what it found and
// exits with 0 when that is nothing. A program, because the rules behave differently inside jest.
const [folder, leg] = process.argv.slice(2);
if (folder === undefined || (leg !== 'source' && leg !== 'tarball')) {
	throw new Error('Usage: node scan.mts <folder> <source|tarball>');
}
const patterns = leg === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const { passed, message, details } = await analyzePackage(folder, patterns);
if (!passed) {
	console.log(message, details ?? '');
	process.exitCode = 1;
}
