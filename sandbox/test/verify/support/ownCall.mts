import { freePort } from '../../../../host/process/ports.mts';
import { createSandboxClient } from '../../../client.mts';
import { createSandbox } from '../../../index.mts';
import type { Time } from '../../../src/verify/time.mts';
import { verifyAccount, type Verification } from '../../../src/verify/verify.mts';
import { serviceClient } from '../../support/client.mts';
import type { JsonObject } from '../../support/contract.mts';
import { accountWithWebhooks, answering, type Told } from './changes.mts';
import { TOKEN } from './account.mts';

/** The assistant uses its tool in calls to numbers that end so. */
export const OWN_NUMBER = '+4915112399907';

/** A user who opens the address of the receiver as soon as it is printed, and agrees to everything. */
export function obligingUser(): Told {
	const user = answering();
	return {
		...user,
		tell(line) {
			user.tell(line);
			const [address] = /http\S+\/test$/.exec(line) ?? [];
			if (address !== undefined) void fetch(address);
		},
	};
}

/** A provider whose clock stands still, except while verify waits. */
export async function startCallable(assume: JsonObject = {}, seed: object = accountWithWebhooks()) {
	const sandbox = await createSandbox({ port: 0, seed, assume, clock: 'manual' });
	const control = createSandboxClient(sandbox.control);
	let now = 0;
	const time: Time = {
		now: () => now,
		async wait(span) {
			// In steps, so that what happens has its time.
			for (let waited = 0; waited < span; waited += 1000) {
				await control.advance('PT1S');
				now += 1000;
			}
		},
	};
	return {
		url: sandbox.url,
		control,
		client: serviceClient(sandbox.url, TOKEN),
		time,
		[Symbol.asyncDispose]: () => sandbox.close(),
	};
}

type Provider = Pick<Awaited<ReturnType<typeof startCallable>>, 'url' | 'time'>;

/** Runs the level `call` with assistant 1 and campaign 1. */
export async function verifyCall(
	{ url: baseUrl, time }: Provider,
	folder: string,
	options: Partial<Verification> = {},
) {
	const receiverPort = await freePort();
	return verifyAccount({
		token: TOKEN,
		levels: ['call'],
		pause: 0,
		time,
		signal: new AbortController().signal,
		questions: obligingUser(),
		folder,
		...options,
		target: {
			assistantId: 1,
			campaignId: 1,
			phoneNumber: OWN_NUMBER,
			receiverUrl: `http://127.0.0.1:${receiverPort}`,
			receiverPort,
			...options.target,
			baseUrl,
		},
	});
}
