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

/** The report as most build servers show it: a test for each assumption. */
export function junitReport(report: Report): string {
	const suites = report.levels.map((level) => {
		const findings = report.findings.filter((finding) => finding.level === level);
		const own = { findings };
		const attributes = `name="${level}" tests="${findings.length}" failures="${withOutcome(own, 'differs').length}" skipped="${withOutcome(own, 'not checked').length}"`;
		return [`\t<testsuite ${attributes}>`, ...findings.map(testCase), '\t</testsuite>'].join('\n');
	});
	const stopped =
		report.stopped === undefined
			? []
			: [`\t<!-- ${escape(report.stopped).replaceAll('--', '- -')} -->`];
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites name="${escape(report.provider)}" timestamp="${report.at}">`,
		...suites,
		...stopped,
		'</testsuites>\n',
	].join('\n');
}

function testCase(finding: KeyFinding): string {
	const test = `\t\t<testcase classname="${finding.level}" name="${finding.key}"`;
	const text = escape(`${finding.seen} (expected: ${finding.expected})`);
	switch (finding.outcome) {
		case 'as assumed':
			return `${test} />`;
		case 'not checked':
			return `${test}><skipped message="${escape(finding.seen)}" /></testcase>`;
		default:
			return `${test}><failure message="${text}">${escape(finding.advice ?? '')}</failure></testcase>`;
	}
}
