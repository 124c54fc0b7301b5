import type { Field } from '../../../fields/routing';

/** The built-in tools of an assistant (public-service: Built-in tools of an assistant; S1, S2). */
export const builtInTools: Field = {
	displayName: 'Built-in Tools (JSON)',
	name: 'builtInTools',
	type: 'json',
	default: '[]',
	placeholder: 'e.g. [{"type": "call_transfer", "phone_number": "+4915112345678"}]',
	description:
		"The tools that your provider has built in, as a JSON list, without mid call tools. 'End Call Tool Description' adds one. Some providers do not have it.",
	entries: [{ displayName: 'Type', name: 'type', type: 'string', default: '', required: true }],
	routing: { send: { type: 'body', property: 'tools' } },
};
