import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const HEADER = '// Generated from contract/openapi.yaml by `npm run generate`, do not edit.\n\n';

/**
 * The TypeScript types of an OpenAPI document.
 *
 * @param openapi path of the document
 * @returns the text of a declaration file that exports `paths`, `webhooks`, `components` and
 * `operations`
 * @throws when the document is not valid OpenAPI
 */
export async function types(openapi: string): Promise<string> {
	const declarations = await openapiTS(pathToFileURL(openapi), {
		// A default is what the service fills in: whoever sends a request may leave the field out.
		defaultNonNullable: false,
	});
	return HEADER + astToString(declarations);
}
