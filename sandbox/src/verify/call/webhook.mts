import { asAssumed, differs, notChecked, type Check } from '../check.mts';
import { safeNames } from '../describe.mts';
import { recordSchemas } from '../read/schemas.mts';
import type { Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import { readNotification } from './notification.mts';
import { ownCall, type OwnCall } from './ownCall.mts';
import type { Arrival } from './receiver.mts';

/** The call, and the first webhook about its end. @throws {CannotCheck} when none came */
async function reportedCall(run: Run): Promise<OwnCall & { first: Arrival }> {
	const call = await ownCall(run);
	const [first] = call.endWebhooks;
	if (!first) throw new CannotCheck('No webhook came about the end of the call.');
	return { ...call, first };
}

const webhookPayload: Check = {
	key: 'webhook-payload',
	level: 'call',
	async run(run) {
		const { first } = await reportedCall(run);
		const expected = 'the fields of CallNotification at the top of the body';
		const { form, fields } = readNotification(first.body);
		if (form === 'in-data') {
			return differs(expected, 'the fields are in `data`, beside `event`', {
				value: 'in-data',
				advice: 'The trigger nodes read both forms. There is nothing to do.',
			});
		}
		if (form === 'other') return differs(expected, 'a body in another form');
		const { required, fields: known } = (await recordSchemas(run)).notification;
		const missing = required.filter((name) => !(name in fields));
		const extra = Object.keys(fields).filter((name) => !known.has(name));
		const seen = [
			...(missing.length > 0 ? [`missing: ${safeNames(missing)}`] : []),
			...(extra.length > 0 ? [`not described: ${safeNames(extra)}`] : []),
		];
		return seen.length === 0 ? asAssumed(expected) : differs(expected, seen.join('; '));
	},
};

const webhookEvents: Check = {
	key: 'webhook-events',
	level: 'call',
	async run(run) {
		const { startWebhooks } = await reportedCall(run);
		const expected = 'a webhook at the end of the call, and none before';
		if (startWebhooks.length === 0) return asAssumed(expected);
		const statuses = startWebhooks.map(({ body }) =>
			String(readNotification(body).fields['status']),
		);
		const advice = 'The trigger nodes leave out calls that go on. There is nothing to do.';
		const isOne = startWebhooks.length === 1;
		return differs(expected, `webhooks before the end, with the status ${safeNames(statuses)}`, {
			...(isOne && { value: 'start-and-end' }),
			advice,
		});
	},
};

/** In seconds. More than it takes to send a request. */
const AT_ONCE = 2;

const webhookDelay: Check = {
	key: 'webhook-delay',
	level: 'call',
	async run(run) {
		const { first, ended } = await reportedCall(run);
		const expected = 'the webhook comes when the call is over';
		if (!ended) return notChecked(expected, 'The list of calls did not show the end of the call.');
		// The call ended between two looks at the list.
		const least = Math.max(0, first.at - ended.before) / 1000;
		if (least < AT_ONCE) return asAssumed(expected, expected, 'likely');
		const middle = Math.round((first.at - (ended.after + ended.before) / 2) / 1000);
		return differs(expected, `about ${middle} seconds later`, {
			value: `PT${middle}S`,
			certainty: 'likely',
		});
	},
};

const webhookRetries: Check = {
	key: 'webhook-retries',
	level: 'call',
	async run(run) {
		const { endWebhooks } = await reportedCall(run);
		const expected = 'a webhook that is answered 500 is not repeated';
		const waits = endWebhooks
			.slice(1)
			.map(({ at }, index) => Math.round((at - (endWebhooks[index]?.at ?? at)) / 1000));
		if (waits.length === 0) return asAssumed(expected, 'not within three minutes', 'likely');
		return differs(expected, `repeated after ${waits.join(', ')} seconds`, {
			value: waits.map((wait) => `PT${wait}S`),
			advice:
				'A workflow that fails may run again with the same call. Later repetitions were not waited for.',
		});
	},
};

/** What the headers of signatures are called. */
const SIGNATURE = /signature|hmac|digest|webhook-(?:sign|secret|id)/;

const webhookSignature: Check = {
	key: 'webhook-signature',
	level: 'call',
	async run(run) {
		const { first } = await reportedCall(run);
		const expected = 'no header with a signature';
		const names = Object.keys(first.headers).filter((name) => SIGNATURE.test(name));
		if (names.length === 0) return asAssumed(expected);
		return differs(expected, `headers ${safeNames(names)}`, {
			advice: 'Ask the provider for the secret. A workflow can check the signature in a Code node.',
		});
	},
};

export const WEBHOOK_CHECKS = [
	webhookPayload,
	webhookEvents,
	webhookDelay,
	webhookRetries,
	webhookSignature,
];
