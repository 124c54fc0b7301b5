import type { Handler } from '../hostileServer.mts';
import type { Behaviour } from './behaviour.mts';
import { reply } from './replies.mts';

const places: Record<string, (token: string) => Handler> = {
	'a message': (token) => reply(400, { message: `The token ${token} is not valid` }),
	errors: (token) => {
		const errors = { phone_number: [`${token} is not valid`], [token]: ['It is not valid.'] };
		return reply(422, { message: 'Validation failed', errors });
	},
	'errors in a list': (token) => reply(422, { errors: [token, { message: token }] }),
	'a success that is none': (token) => reply(200, { success: false, message: token }),
	'a text': (token) => reply(500, `No access with Bearer ${token}`),
	'a page': (token) => reply(401, `<html>${token}</html>`),
	'an error': (token) => reply(401, { error: { message: `Bearer ${token}` } }),
	'a location': (token) => reply(302, '', { Location: `https://${token}.example/${token}` }),
	'a location on the same host': (token) => reply(307, '', { Location: `/api?token=${token}` }),
	'Retry-After': (token) => reply(503, { message: token }, { 'Retry-After': token }),
};

/** Refusals that repeat the token of the request. */
export const repeatedToken = Object.entries(places).map(([place, handler]): Behaviour => ({
	name: `the token in ${place}`,
	handler: (exchange) => handler(exchange.request.token)(exchange),
}));
