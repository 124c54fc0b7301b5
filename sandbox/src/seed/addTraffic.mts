import type { Fault } from '../base/checkInput.mts';
import type { Assistant, Call, Campaign, Lead, Mix, User } from '../store/records.mts';
import type { State } from '../store/store.mts';
import { isCompleted } from '../domain/call/notifications.mts';
import { draw } from '../domain/call/scenarios.mts';
import type { Context } from '../domain/context.mts';
import { addLead } from '../domain/lead/operations.mts';
import { callCosts } from '../domain/prices.mts';
import { callResult } from '../simulation/callResult.mts';
import { toLeadAfterCall } from '../simulation/callLeads.mts';
import { phrasesFor } from '../simulation/phrases.mts';
import { callBetween } from '../simulation/startCall.mts';

/** How calls of campaigns without a mix of their own went. */
const USUAL_MIX: Mix = {
	answered: 52,
	'no-answer': 16,
	voicemail: 12,
	ended_by_customer: 6,
	busy: 5,
	'hung-up-early': 4,
	'long-call': 2,
	transferred: 2,
	failed: 1,
};

const INBOUND_MIX: Mix = {
	answered: 60,
	ended_by_customer: 25,
	transferred: 10,
	'hung-up-early': 5,
};

const MONTHS = 12;
const A_YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/** Of all calls, when an assistant receives calls. */
const INBOUND_SHARE = 0.1;
/** Talks last between half and one and a half times as long as in their scenario. */
const SHORTEST_TALK = 0.5;
/** Nobody has numbers with the area code 555. */
const FIRST_NUMBER = 15_551_000_000;
const NO_ASSISTANT =
	'Traffic needs an assistant of the first user that makes calls (calls_direction: make). Add one to the seed.';
const PROGRESS_STEP = 1000;

interface PastCampaign {
	campaign: Campaign;
	assistant: Assistant;
}

interface PastLead extends PastCampaign {
	lead: Lead;
}

/**
 * Fills the first user's data with calls of the last year: campaigns of twelve months, their leads,
 * and calls with all that a call leaves behind. Nothing of it is still to happen, and nothing is sent.
 *
 * @param calls how many
 * @param onProgress is told how many calls there are so far
 * @throws {Error} when the first user has no assistant that makes calls; see {@link trafficFault}
 */
export function addTraffic(
	context: Context,
	calls: number,
	onProgress: (calls: number) => void,
): void {
	const { state, now, random } = context;
	const user = state.users.first([]);
	const [makers, receivers] = [assistantsThat(state, 'make'), assistantsThat(state, 'receive')];
	if (!user || makers.length === 0) throw new Error(NO_ASSISTANT);

	const begin = now - A_YEAR_MS;
	const campaigns = Array.from({ length: MONTHS }, (_, month) =>
		addCampaign(context, random.pick(makers), begin + (month * A_YEAR_MS) / MONTHS),
	);
	/** Leads that were not reached, the next one first: every lead waits for the same time. */
	const waiting: PastLead[] = [];
	let people = 0;

	for (let made = 0; made < calls; made += 1) {
		const at = Math.floor(begin + (A_YEAR_MS * (made + random.next())) / calls);
		const then: Context = { ...context, now: at };
		if (receivers.length > 0 && random.next() < INBOUND_SHARE) {
			const phoneNumber = toPhoneNumber((people += 1));
			addPastCall(then, { assistant: random.pick(receivers), phoneNumber, mix: INBOUND_MIX });
		} else {
			const isWaiting = (waiting[0]?.lead.next_attempt_at ?? Infinity) <= at;
			const month = campaigns[Math.floor(((at - begin) / A_YEAR_MS) * MONTHS)];
			const past =
				(isWaiting && waiting.shift()) ||
				addPastLead(then, user, month ?? random.pick(campaigns), toPhoneNumber((people += 1)));
			const lead = callPastLead(then, past);
			if (lead.status === 'created') waiting.push({ ...past, lead });
		}
		if ((made + 1) % PROGRESS_STEP === 0) onProgress(made + 1);
	}
}

/** Why a seed that is loaded cannot have traffic; undefined when it can. */
export const trafficFault = ({ state }: Context): Fault | undefined =>
	assistantsThat(state, 'make').length > 0
		? undefined
		: { path: ['users', 0, 'assistants'], message: NO_ASSISTANT };

/** The first user's assistants of a direction. */
function assistantsThat(state: State, direction: 'make' | 'receive'): Assistant[] {
	const user = state.users.first([]);
	const assistants = user ? state.assistants.select([['user_id', 'is', user.id]]) : [];
	return assistants.filter(({ settings }) => settings.calls_direction === direction);
}

/** A campaign that has stopped, with the mix of the assistant's other campaigns. */
function addCampaign(
	{ state, assumptions }: Context,
	assistant: Assistant,
	created: number,
): PastCampaign {
	const others = state.campaigns.select([['user_id', 'is', assistant.user_id]]);
	const seeded = others.find((one) => one.assistant_id === assistant.id && one.mix !== null);
	const campaign = state.campaigns.insert({
		user_id: assistant.user_id,
		name: `Calls from ${new Date(created).toISOString().slice(0, 10)}`,
		assistant_id: assistant.id,
		status: assumptions['campaign-status'].stop,
		mix: seeded?.mix ?? USUAL_MIX,
		created_at: created,
		updated_at: created,
	});
	return { campaign, assistant };
}

function addPastLead(
	context: Context,
	user: User,
	past: PastCampaign,
	phoneNumber: string,
): PastLead {
	const names = phrasesFor(past.assistant.settings);
	const first = context.random.pick(names.first_names);
	const last = context.random.pick(names.last_names);
	const email = `${first}.${last}@example.com`.toLowerCase();
	const variables = { customer_name: `${first} ${last}`, email };
	return { ...past, lead: addLead(context, user, past.campaign, { phoneNumber, variables }) };
}

/** Calls a lead once. @returns the lead afterwards */
function callPastLead(context: Context, { lead, ...past }: PastLead): Lead {
	const mix = past.campaign.mix ?? USUAL_MIX;
	const call = addPastCall(context, { ...past, lead, phoneNumber: lead.phone_number, mix });
	const isReached = isCompleted(call, context.assumptions);
	const called = toLeadAfterCall({ ...context, now: call.updated_at }, lead, isReached);
	context.state.leads.update(called);
	return called;
}

interface PastCall extends Partial<PastLead> {
	assistant: Assistant;
	phoneNumber: string;
	mix: Mix;
}

/** Stores a call that went like a scenario of the mix. */
function addPastCall(
	context: Context,
	{ assistant, campaign, lead, phoneNumber, mix }: PastCall,
): Call {
	const { state, now, random, scenarios } = context;
	const scenario = draw(mix, random);
	const steps = scenarios.get(scenario)?.steps ?? [];
	const answer = steps.findIndex(({ status }) => status === 'in-progress');
	const waits = steps.map((_, index) => scenarios.waitBefore(scenario, index + 1));
	const answered = answer < 0 ? steps.length : answer + 1;
	const rings = sum(waits.slice(0, answered));
	const talks = sum(waits.slice(answered)) * (SHORTEST_TALK + random.next());
	const duration = Math.min(Math.round(talks / 1000), assistant.settings.max_call_duration);
	const call: Call = {
		...callBetween(state, assistant, lead, campaign),
		id: state.calls.nextId(),
		type: lead ? 'outbound' : 'inbound',
		status: steps.at(-1)?.status ?? 'failed',
		scenario,
		step: steps.length,
		running: false,
		answered_at: answer < 0 ? null : now + rings,
		client_phone_number: phoneNumber,
		duration,
		...callCosts(duration),
		created_at: now,
		updated_at: now + rings + duration * 1000,
	};
	return state.calls.insert({
		...call,
		...(call.answered_at !== null && callResult(context, call, assistant)),
	});
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

const toPhoneNumber = (person: number): string => `+${FIRST_NUMBER + person}`;
