/** The value of a JSON text; `otherwise` when it is none. */
export function parseJson(text: string, otherwise?: unknown): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return otherwise;
	}
}
