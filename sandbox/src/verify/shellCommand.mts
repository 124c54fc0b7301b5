import type { UndoRequest } from './undo.mts';

/** The environment variable that has the API token. */
export const TOKEN_VARIABLE = 'VOICE_ASSISTANT_CALLING_TOKEN';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request as a command for a shell. It names the environment variable, not the token. */
export const shellCommand = (baseUrl: string, { method, path, body }: UndoRequest): string =>
	[
		`curl -X ${method} ${quoted(baseUrl + path)}`,
		`-H "Authorization: Bearer $${TOKEN_VARIABLE}"`,
		"-H 'Content-Type: application/json'",
		`-d ${quoted(JSON.stringify(body))}`,
	].join(' ');
