import type { Behaviour } from './behaviour.mts';
import { changed, reply, replyJson } from './replies.mts';

const LEVELS = 10_000;
const DEEP_ARRAY = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const DEEP_OBJECT = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

const MANY = 50_000;
const manyOf = <Item,>(item: (index: number) => Item): Item[] =>
	Array.from({ length: MANY }, (_, index) => item(index));

const manyFields = JSON.stringify({
	message: 'Validation failed',
	errors: Object.fromEntries(manyOf((index) => [`field_${index}`, ['This is not valid, either.']])),
});
const manyErrors = JSON.stringify({ errors: manyOf(() => 'This is not valid.') });

const aMillion = 'x'.repeat(1e6);

/** Bodies that are deep, long, or not what the contract says. */
export const bodies: Behaviour[] = [
	{
		name: `data of ${LEVELS} levels`,
		handler: changed((text) => text.replaceAll('"id":', `"deep":${DEEP_ARRAY},"id":`)),
	},
	{
		name: `a body of ${LEVELS} levels`,
		handler: changed((text) => text.replace(/^\{/, `{"deep":${DEEP_OBJECT},`)),
	},
	{
		name: `errors of ${LEVELS} levels`,
		handler: replyJson(`{"message":"Validation failed","errors":${DEEP_OBJECT}}`, 422),
	},
	{
		name: `a list of errors of ${LEVELS} levels`,
		handler: replyJson(`{"errors":${DEEP_ARRAY}}`, 400),
	},
	{ name: `${MANY} field errors`, handler: replyJson(manyFields, 422) },
	{ name: `${MANY} errors in a list`, handler: replyJson(manyErrors, 422), isHeavy: true },
	{ name: 'a message of a million characters', handler: reply(400, { message: aMillion }) },
	{
		name: 'a field name of a million characters',
		handler: reply(422, { errors: { [aMillion]: ['It is not valid.'] } }),
	},
	{ name: 'a web page', handler: reply(200, '<!DOCTYPE html><title>Welcome</title>') },
	{ name: 'a web page with status 502', handler: reply(502, '<html>Bad Gateway</html>') },
	{ name: 'a text', handler: reply(200, 'OK') },
	{ name: 'half a JSON', handler: changed((text) => text.slice(0, text.length / 2)) },
	...['null', '[]', '"text"', '{}', '{"data":{}}'].map((text) => ({
		name: `the body ${text}`,
		handler: replyJson(text),
	})),
	{ name: 'an empty body', handler: replyJson('') },
	{
		name: 'records that are none',
		handler: replyJson('{"data":[null,1,"x",[],{},{"id":{}},{"id":[1]},{"id":9007199254740993}]}'),
	},
	{
		name: 'fields that are none',
		handler: changed((text) =>
			text.replaceAll(/":("[^"]*"|\d+|true|false)/g, '":{"__proto__":[]}'),
		),
	},
	{ name: 'status 204', handler: ({ response }) => response.writeHead(204).end() },
	{ name: 'status 304', handler: ({ response }) => response.writeHead(304).end() },
];
