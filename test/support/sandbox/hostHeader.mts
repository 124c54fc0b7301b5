import { get as httpGet } from 'node:http';
import { ALICE } from './seed.mts';

/** Sends Alice's GET request under a host name, as a browser does for a page of that name. */
export function getUnderHost(
	url: string,
	host: string,
): Promise<{ status: number | undefined; body: unknown }> {
	const headers = { Host: host, Authorization: `Bearer ${ALICE}` };
	return new Promise((resolve, reject) => {
		httpGet(url, { headers, agent: false }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const text = Buffer.concat(chunks).toString();
				const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
				resolve({ status: response.statusCode, body: isJson ? JSON.parse(text) : text });
			});
		}).on('error', reject);
	});
}
