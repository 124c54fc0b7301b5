import type { Assumptions } from '../contract/assumptions.mts';
import type { Fields } from './values.mts';

/** The body of a tool call as the provider writes it (assumption: tool-parameters-form). */
export const toolBody = (values: Fields, assumptions: Assumptions): Fields | [Fields] =>
	assumptions['tool-parameters-form'] === 'list' ? [values] : toolQuery(values, assumptions);

/** The query of a tool call as the provider writes it, which cannot be a list (assumption: tool-parameters-form). */
export function toolQuery(values: Fields, { 'tool-parameters-form': form }: Assumptions): Fields {
	switch (form) {
		case 'plain':
		case 'list':
			return values;
		case 'in-args':
			return { args: values };
		case 'in-arguments':
			return { arguments: values };
		case 'in-parameters':
			return { parameters: values };
		case 'in-params':
			return { params: values };
		case 'in-arguments-text':
			return { arguments: JSON.stringify(values) };
	}
}
