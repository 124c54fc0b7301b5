import { counts, withOutcome, type Report } from './report.mts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const table = (head: string[], rows: string[][]): string[] => [
	`| ${head.join(' | ')} |`,
	`|${head.map(() => '---').join('|')}|`,
	...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
];

/** The report for people, and for the issue form *provider report*. */
export function markdownReport(report: Report): string {
	const { provider, at, version, levels, requests, stopped } = report;
	const differences = withOutcome(report, 'differs');
	const otherForms = withOutcome(report, 'other form');
	const assumed = withOutcome(report, 'as assumed');
	const unchecked = withOutcome(report, 'not checked');
	const lines = [
		`# ${provider}`,
		'',
		`${at.slice(0, 10)}, version ${version}, levels ${levels.join(', ')}, ${requests} requests: ${counts(report)}.`,
		...(stopped === undefined ? [] : ['', `**Stopped.** ${stopped}`]),
		...section('Differs', differences.length, () => differenceLines(differences)),
		...section('In another form, which the nodes read', otherForms.length, () =>
			differenceLines(otherForms),
		),
		...section('Not checked', unchecked.length, () =>
			table(
				['Assumption', 'Why'],
				unchecked.map(({ key, seen }) => [key, seen]),
			),
		),
		...section('As assumed', assumed.length, () =>
			table(
				['Assumption', 'Seen', 'How sure'],
				assumed.map(({ key, seen, certainty }) => [key, seen, certainty]),
			),
		),
	];
	return `${lines.join('\n').trimEnd()}\n`;
}

type Difference = Extract<Report['findings'][number], { outcome: 'differs' | 'other form' }>;

const differenceLines = (differences: Difference[]): string[] => [
	...table(
		['Assumption', 'Assumed', 'Seen', 'How sure'],
		differences.map(({ key, expected, seen, certainty }) => [key, expected, seen, certainty]),
	),
	'',
	...differences.flatMap(({ key, advice }) =>
		advice === undefined ? [] : `- **${key}**: ${advice}`,
	),
];

const section = (title: string, size: number, lines: () => string[]): string[] =>
	size === 0 ? [] : ['', `## ${title}`, '', ...lines()];
