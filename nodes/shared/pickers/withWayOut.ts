import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { DescribedError } from '../client/errors';

/**
 * Words the failure of a picker for the editor, which shows it in place of the list and only its message
 * (n8n 2.0, 2.41). A click on the picker then tries again.
 *
 * @param mode the mode in which the user can enter the value instead
 * @throws {NodeOperationError} when the list cannot be read
 */
export async function withWayOut<List>(
	context: ILoadOptionsFunctions,
	list: Promise<List>,
	mode = 'By ID',
): Promise<List> {
	return await list.catch((error: unknown) => {
		if (!(error instanceof DescribedError)) throw error;
		const text = `${error.text} You can also choose '${mode}'.`;
		throw new NodeOperationError(context.getNode(), text);
	});
}
