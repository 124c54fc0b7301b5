import type { TextRule } from '../fields/textRule';

/**
 * What the texts of a mid call tool must be (contract: Mid call tool, Limits). The service puts the
 * headers into an HTTP request, so HTTP itself sets the rules of their characters.
 */
export const toolRules = {
	name: {
		pattern: '^[a-z][a-z_]*$',
		problem: 'must contain only lowercase letters and underscores, and start with a letter',
	},
	description: { maxLength: 255 },
	headerName: {
		pattern: "^[\\w!#$%&'*+.^`|~-]+$",
		problem: 'is not the name of an HTTP header',
	},
	headerValue: {
		pattern: '^[\\x20-\\x7e]+$',
		problem: 'has a character that a header cannot carry',
	},
	parameterName: {
		minLength: 2,
		maxLength: 32,
		pattern: '^[A-Za-z][A-Za-z_]*$',
		problem: 'must have 2 to 32 letters and underscores, and start with a letter',
	},
	parameterDescription: { minLength: 3, maxLength: 255 },
} satisfies Record<string, TextRule>;
