import type { KeyFinding } from '../verify.mts';
import { withOutcome, type Report } from './report.mts';

const ESCAPED: { [character: string]: string } = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
};

const escape = (text: string): string =>
	text.replaceAll(/[&<>"]/g, (each) => ESCAPED[each] ?? each);

/** The report as most build servers show it: a test for each assumption, and one for the run. */
export function junitReport(report: Report): string {
	const suites = report.levels.map((level) => {
		const findings = report.findings.filter((finding) => finding.level === level);
		const failures = withOutcome({ findings }, 'differs').length;
		const unchecked = withOutcome({ findings }, 'not checked');
		const errors = unchecked.filter(({ failed }) => failed).length;
		const skipped = unchecked.length - errors;
		const counts = `tests="${findings.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
		return suite(level, counts, findings.map(testCase));
	});
	const { stopped } = report;
	const error = stopped === undefined ? '' : errorElement(stopped);
	const run = suite('run', `tests="1" errors="${error === '' ? 0 : 1}"`, [
		`\t\t<testcase classname="run" name="to the end">${error}</testcase>`,
	]);
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites name="${escape(report.provider)}" timestamp="${report.at}">`,
		...suites,
		run,
		'</testsuites>\n',
	].join('\n');
}

const suite = (name: string, counts: string, cases: string[]): string =>
	[`\t<testsuite name="${name}" ${counts}>`, ...cases, '\t</testsuite>'].join('\n');

const errorElement = (message: string): string => `<error message="${escape(message)}" />`;

function testCase(finding: KeyFinding): string {
	const test = `\t\t<testcase classname="${finding.level}" name="${finding.key}"`;
	const text = escape(`${finding.seen} (expected: ${finding.expected})`);
	switch (finding.outcome) {
		case 'as assumed':
		case 'other form':
			return `${test} />`;
		case 'not checked': {
			const skipped = `<skipped message="${escape(finding.seen)}" />`;
			return `${test}>${finding.failed ? errorElement(finding.seen) : skipped}</testcase>`;
		}
		default:
			return `${test}><failure message="${text}">${escape(finding.advice ?? '')}</failure></testcase>`;
	}
}
