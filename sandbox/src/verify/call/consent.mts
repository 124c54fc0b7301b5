import { assistantTitle } from '../namedAssistant.mts';
import { campaignTitle } from '../namedCampaign.mts';
import type { Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import type { Receiver } from './receiver.mts';

/** What the user has to enter for a call. */
export interface CallTarget {
	assistantId: number;
	campaignId: number;
	phoneNumber: string;
	receiverUrl: string;
	receiverPort: number;
}

const DISAGREED = 'Nobody said yes, so nobody was called.';

/** How long the user has to open the page. */
const TUNNEL_LIMIT_MS = 180_000;
const PAUSE_MS = 1000;

/** @throws {CannotCheck} that says what is missing */
export function requireTarget({ target }: Run): CallTarget {
	const { assistantId, campaignId, phoneNumber, receiverUrl, receiverPort = 4011 } = target;
	const missing = [
		...(phoneNumber === undefined ? ['--call NUMBER'] : []),
		...(assistantId === undefined ? ['--assistant ID'] : []),
		...(campaignId === undefined ? ['--campaign ID'] : []),
		...(receiverUrl === undefined ? ['--receiver-url URL'] : []),
	];
	if (
		phoneNumber === undefined ||
		assistantId === undefined ||
		campaignId === undefined ||
		receiverUrl === undefined
	) {
		throw new CannotCheck(`A call needs ${missing.join(', ')}.`);
	}
	return { assistantId, campaignId, phoneNumber, receiverUrl, receiverPort };
}

/**
 * Asks for the first time.
 *
 * @throws {CannotCheck} without a yes, and when the assistant or the campaign is not found
 * @throws {Stop} when an earlier change is not restored
 */
export async function askForCall(run: Run): Promise<void> {
	const { questions, undoLog } = run;
	undoLog.requireNothingLeft();
	const assistant = await assistantTitle(run);
	questions.tell(
		`The leads of ${await campaignTitle(run)} have to be called by ${assistant}, and none may wait. The campaign is started, calls your number once, and is stopped. A lead that waits would be called, too.`,
	);
	questions.tell(
		`Until about ten minutes after the call, the webhook of ${assistant} goes to this machine. What other calls would tell it is lost.`,
	);
	questions.tell(
		'The call costs what a call costs. A lead with your number and a tool remain: no request deletes them. If the service cannot take a tool away, the assistant keeps it.',
	);
	const isWanted = await questions.confirm(
		'Does the campaign have no leads that wait, and do you want to be called?',
	);
	if (!isWanted) throw new CannotCheck(DISAGREED);
}

/** Has the user show that the internet reaches the receiver. @throws {CannotCheck} when it does not */
export async function requireTunnel(run: Run, receiver: Receiver): Promise<void> {
	const { questions, time, signal } = run;
	questions.tell(
		`Open this address in a browser, to show that the internet reaches this machine: ${receiver.testUrl}`,
	);
	const end = time.now() + TUNNEL_LIMIT_MS;
	while (!receiver.isReached()) {
		if (signal.aborted || time.now() >= end) {
			throw new CannotCheck(
				'The receiver was not reached. Check --receiver-url and --receiver-port.',
			);
		}
		await time.wait(PAUSE_MS, signal);
	}
}

/** Asks for the second time. @throws {CannotCheck} when the digits are not typed */
export async function askForDigits({ questions }: Run, { phoneNumber }: CallTarget): Promise<void> {
	const digits = phoneNumber.replaceAll(/\D/g, '').slice(-4);
	const isWanted = await questions.confirm(
		'Your phone rings when you type the last four digits of its number.',
		digits,
	);
	if (!isWanted) throw new CannotCheck(DISAGREED);
}
