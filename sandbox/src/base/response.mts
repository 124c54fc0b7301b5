/** What a handler gives back: an HTTP status, a JSON body, and headers beyond the usual ones. */
export interface Response {
	status: number;
	body: unknown;
	headers?: { [name: string]: string };
}
