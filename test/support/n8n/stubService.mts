import { n8nWith, type N8n } from './n8n.mts';
import type { startStubServer, StubResponse, StubServer } from './stubServer.mts';

/** An n8n whose credential leads to a server. */
export const n8nAt = ({ origin }: Pick<StubServer, 'origin'>, apiToken = 'a-token'): N8n =>
	n8nWith({ baseUrl: `${origin}/api`, apiToken });

/** The page number in a request, counted from 1. */
export const pageIn = (url: string): number =>
	Number(new URL(url, 'http://host').searchParams.get('page'));

/** A page of a list (contract: Paginated list envelope): the only one, unless more is told. */
export const pageOf = (
	rows: unknown[],
	more: { current_page?: number; last_page?: number; total?: number } = {},
) => ({ data: rows, last_page: 1, total: rows.length, ...more });

/** The response to a create (contract: Endpoints). */
export const created = (record: Record<string, unknown> = { id: 1 }) => ({
	message: 'Created successfully',
	data: record,
});

/** A server that responds when the test tells it to. */
interface HeldServer {
	server: StubServer;
	/** Responds to a request, counted in the order of arrival. */
	answer: (index: number, response: StubResponse) => void;
}

/** @param start starts the server, see `stubServersPerTest` */
export async function startHeldServer(start: typeof startStubServer): Promise<HeldServer> {
	const answers: Array<(response: StubResponse) => void> = [];
	const server = await start(
		(_request, index) => new Promise((resolve) => (answers[index] = resolve)),
	);
	return { server, answer: (index, response) => answers[index]?.(response) };
}
