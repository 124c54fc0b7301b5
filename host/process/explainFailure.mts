import { errorMessage } from './errorMessage.mts';

/** What is wrong with the machine, recognised by the codes that programs print, and what to do. */
const CAUSES: Array<{ signs: RegExp; explanation: string }> = [
	{
		signs: /ENOSPC(?!: System limit)|EDQUOT|SQLITE_FULL|No space left on device/,
		explanation:
			'The disk is full. n8n needs about 2.5 GB in all. Make room, and run the same command again: it continues where it was.',
	},
	{
		signs: /SQLITE_CORRUPT|SQLITE_NOTADB/,
		explanation:
			'n8n’s database, n8n/.n8n/database.sqlite in the data folder, is damaged. Put a copy of it back, or delete the data folder (.data/) to start with new data.',
	},
	{
		signs: /EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN/,
		explanation:
			'A file or folder may not be written to. Another user may have made it, for instance with sudo. Make it yours, and run the same command again.',
	},
];

/** Explains what a program has printed; undefined when nothing in it is known. */
export const explainOutput = (output: string): string | undefined =>
	CAUSES.find(({ signs }) => signs.test(output))?.explanation;

/**
 * Words an error for a person: its message, and before it what is wrong with the machine, when that is
 * the reason.
 */
export function explainFailure(error: unknown): string {
	const message = errorMessage(error);
	const explanation = explainOutput(withCauses(error));
	if (explanation === undefined || message.includes(explanation)) return message;
	return `${explanation}\n${message}`;
}

/** The messages of an error and of its causes. */
function withCauses(error: unknown): string {
	if (!(error instanceof Error) || error.cause === undefined) return errorMessage(error);
	return `${error.message}\n${withCauses(error.cause)}`;
}
