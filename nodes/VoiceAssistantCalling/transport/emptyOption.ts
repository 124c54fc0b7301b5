import { InvalidInput } from '../../shared/client/errors';

/** An option without a value could send what the user wants to hold back. */
export const emptyOption = (label: string) =>
	new InvalidInput({
		message: `'${label}' is empty`,
		nextStep: 'Check its expression, or remove the option. Nothing was sent for this item.',
		errors: { [label]: ['is empty'] },
	});
