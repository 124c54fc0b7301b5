import { CALL_STATUSES } from '../../contract/statuses.mts';
import { requireAccepted } from '../outcome.mts';
import { callList, CALLS_PATH } from '../read/lists.mts';
import { readPage, type Row } from '../read/page.mts';
import { restoring } from '../restoring.mts';
import { observation, type Run } from '../run.mts';
import { CannotCheck, INTERRUPTED, Stop } from '../stop.mts';
import { stoppedCampaign } from '../stoppedCampaign.mts';
import type { Undo } from '../undo.mts';
import { askForCall, askForDigits, requireTarget, requireTunnel } from './consent.mts';
import type { CallTarget } from './consent.mts';
import { ACTIVE_STATUSES, isOfActiveCall, readNotification } from './notification.mts';
import { prepareCall } from './prepare.mts';
import { startReceiver, type Arrival, type Receiver } from './receiver.mts';

/** What was seen of the call to the user's own phone. */
export interface OwnCall {
	/** The statuses in the list of calls, in their order. */
	statuses: string[];
	/** When the call was last seen to go on, and first seen to be over; undefined when it was not. */
	ended: { after: number; before: number } | undefined;
	/** Webhooks about the call before its end. */
	startWebhooks: Arrival[];
	/** Webhooks about its end, each attempt. */
	endWebhooks: Arrival[];
	toolRequests: readonly Arrival[];
}

/** How often the list of calls is read. */
const POLL_MS = 3000;
/** How long a call may take to begin, and to end. */
const BEGIN_LIMIT_MS = 120_000;
const END_LIMIT_MS = 300_000;
/** How long the next webhook is waited for, and all of them. */
const QUIET_MS = 180_000;
const WEBHOOKS_LIMIT_MS = 600_000;

/** Has the user's own phone called once, and watches what the service does. */
export const ownCall = observation(async (run): Promise<OwnCall> => {
	const target = requireTarget(run);
	await askForCall(run);
	await stoppedCampaign(run);
	const { receiverPort: port, receiverUrl: publicUrl, phoneNumber } = target;
	const { time, questions } = run;
	const tell = (line: string): void => questions.tell(line);
	const receiver = await startReceiver({ port, publicUrl, phoneNumber, time, tell });
	try {
		await requireTunnel(run, receiver);
		await askForDigits(run, target);
		return await restoring(run, async () => {
			await prepareCall(run, target, receiver);
			return callAndWatch(run, target, receiver);
		});
	} finally {
		await receiver.close();
	}
});

async function callAndWatch(run: Run, target: CallTarget, receiver: Receiver): Promise<OwnCall> {
	const { questions } = run;
	const earlier = new Set((await listCalls(run, target)).map(({ id }) => String(id)));
	const findCall = async (): Promise<Row | undefined> =>
		(await listCalls(run, target)).find(({ id }) => !earlier.has(String(id)));

	await startCampaign(run, target);
	questions.tell('Your phone rings soon. Say the word "test", wait for the answer, and hang up.');
	const statuses: string[] = [];
	let ended: OwnCall['ended'];
	const now = (): number => run.time.now();
	const begin = now();
	let seenActive = begin;
	let isStopped = false;
	while (ended === undefined && now() - begin < END_LIMIT_MS) {
		await pause(run);
		const call = await findCall();
		const hasBegun = call !== undefined || receiver.webhooks.length > 0;
		if (!hasBegun && now() - begin >= BEGIN_LIMIT_MS) {
			throw new CannotCheck('No call began within two minutes.');
		}
		if (hasBegun && !isStopped) await stopCampaign(run, target);
		isStopped ||= hasBegun;
		if (!call) continue;
		const status = String(call['status']);
		if (status !== statuses.at(-1)) statuses.push(status);
		if (isOver(call)) ended = { after: seenActive, before: now() };
		else seenActive = now();
	}
	questions.tell(
		'The webhook is answered 500, to see whether it is repeated. This takes some minutes.',
	);
	await waitForWebhooks(run, receiver);
	const isOfStart = ({ at, body }: Arrival): boolean =>
		isOfActiveCall(readNotification(body)) || (ended !== undefined && at <= ended.after);
	return {
		statuses,
		ended,
		startWebhooks: receiver.webhooks.filter(isOfStart),
		endWebhooks: receiver.webhooks.filter((arrival) => !isOfStart(arrival)),
		toolRequests: receiver.toolRequests,
	};
}

const FINAL_STATUSES: readonly string[] = CALL_STATUSES.filter(
	(status) => !ACTIVE_STATUSES.includes(status),
);

/** A call with an unknown status is over when it has lasted. */
const isOver = ({ status, duration }: Row): boolean =>
	FINAL_STATUSES.includes(String(status)) ||
	(!ACTIVE_STATUSES.includes(String(status)) && Number(duration) > 0);

async function listCalls(run: Run, target: CallTarget): Promise<Row[]> {
	const { campaignId: campaign_id, phoneNumber: phone_number } = target;
	// Where the list is the oldest first, the newest call is at its end.
	const { size: per_page } = await callList(run);
	const response = await run.client.getNow(CALLS_PATH, { campaign_id, phone_number, per_page });
	const page = readPage(response);
	if (page) return page.rows;
	throw new CannotCheck(`The list of calls could not be read (${response.status}).`);
}

const changeCampaign = ({ client }: Run, { campaignId }: CallTarget, action: 'start' | 'stop') =>
	client.write('POST', '/user/campaigns/update-status', { campaign_id: campaignId, action });

const startedCampaign = ({ campaignId }: CallTarget): Undo => ({
	kind: 'started campaign',
	campaignId,
});

async function startCampaign(run: Run, target: CallTarget): Promise<void> {
	await run.undoLog.add(startedCampaign(target));
	requireAccepted(await changeCampaign(run, target, 'start'), 'to start the campaign');
}

/** Stops the campaign, so that it calls nobody else. */
async function stopCampaign(run: Run, target: CallTarget): Promise<void> {
	requireAccepted(await changeCampaign(run, target, 'stop'), 'to stop the campaign');
	await run.undoLog.remove(startedCampaign(target));
}

/** Waits until no further webhook comes. */
async function waitForWebhooks(run: Run, { webhooks }: Receiver): Promise<void> {
	const begin = run.time.now();
	const end = (): number => {
		const last = Math.max(begin, webhooks.at(-1)?.at ?? begin);
		return Math.min(last + QUIET_MS, begin + WEBHOOKS_LIMIT_MS);
	};
	while (run.time.now() < end()) await pause(run);
}

async function pause({ time, signal }: Run): Promise<void> {
	await time.wait(POLL_MS, signal);
	if (signal.aborted) throw new Stop(INTERRUPTED);
}
