import { describe, expect, it } from '@jest/globals';
import { isPrivate, whyUnreachable } from '../../../../nodes/shared/webhook/reachability.ts';

const PRIVATE = `
	localhost LOCALHOST:5678 localhost. n8n.localhost n8n n8n:5678 printer.local n8n.local.
	n8n.internal n8n.lan n8n.home.arpa 0.0.0.0 127.0.0.1 127.255.255.254 127.1 2130706433 0x7f.0.0.1
	10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1
	100.127.255.255 [::] [::1] [::ffff:127.0.0.1] [::ffff:192.168.0.1] [fc00::1]
	[fd12:3456:789a::1] [fe80::1] [febf::1]`;

const PUBLIC = `
	n8n.example.com n8n.example.com:5678 localhost.example.com local.example.com 10.example.com
	127.0.0.1.example.com 192.168.example.com 9.255.255.255 11.0.0.1 128.0.0.1 172.15.255.255
	172.32.0.1 192.167.255.255 192.169.0.1 169.253.0.1 100.63.255.255 100.128.0.1 8.8.8.8
	[2001:db8::1] [2606:4700::1111] [fd::1] [64:ff9b::7f00:1]`;

const hosts = (text: string, isIt: boolean) =>
	text
		.trim()
		.split(/\s+/)
		.map((host): [string, boolean] => [host, isIt]);

it.each([...hosts(PRIVATE, true), ...hosts(PUBLIC, false)])(
	'only its own machine or network can reach %s: %p',
	(host, isIt) => {
		expect(isPrivate(`https://${host}/webhook`)).toBe(isIt);
	},
);

describe('a webhook address', () => {
	it.each([
		['https://calls.example.com/api', 'https://n8n.example.com', true],
		['https://calls.example.com/api', 'http://n8n.example.com', false],
		['https://calls.example.com/api', 'http://localhost:5678', false],
		['https://calls.example.com/api', 'https://localhost:5678', false],
		['http://127.0.0.1:4010/api', 'http://localhost:5678', true],
		['http://192.168.1.5/api', 'http://n8n:5678', true],
		['http://[::1]:4010/api', 'http://n8n.example.com', true],
	])('of a service at %s may be %s: %p', (baseUrl, origin, isFine) => {
		const why = whyUnreachable(baseUrl, `${origin}/webhook/1/2`);
		expect(why === undefined).toBe(isFine);
		if (!isFine) expect(why).toMatch(new RegExp(`URL begins with ${origin}, .*WEBHOOK_URL`));
	});
});
