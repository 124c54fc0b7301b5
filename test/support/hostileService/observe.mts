import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Service } from '../../../sandbox/test/support/service.mts';
import type { Behaviour } from './behaviours.mts';
import { startHostileServer, type HostileServer } from './hostileServer.mts';
import type { MeetingOutcome, Subject } from './subjects/subject.mts';
import { TurnedClock } from '../n8n/turnedClock.mts';

/** What a meeting costs n8n. */
interface Costs {
	/** The longest time in which n8n could do nothing else, in real time. */
	blockedMs: number;
	/** By how much the memory of the process grew. */
	grownBytes: number;
}

/** What happened when a subject met a hostile service. */
export interface Meeting extends Costs {
	/** Undefined if it did not end. */
	outcome: MeetingOutcome | undefined;
	/** The rejections that nobody handled. */
	unhandled: unknown[];
	server: HostileServer;
}

/** The nodes remember what they did a moment ago, and what they do now is another publish. */
const LATER_MS = 61_000;

/**
 * Who waits, waits for the clock, when no response has been on its way for so long in real time, and for
 * so many turns of the event loop after it. A thread that unpacks a body needs the time, and what it has
 * unpacked needs the turns.
 */
const IDLE_MS = 2;
const IDLE_TURNS = 30;

/** So many turns after a second has passed, who waited for it has done what it does then. */
const TURNS_OF_A_SECOND = 10;

/** How often the memory is measured. */
const SAMPLE_MS = 20;

/** Far beyond what a meeting takes in real time. */
const HANGS_MS = 30_000;

/** Turns the clock whenever nothing else happens, until the work ends or takes too long. */
export async function turnUntil(
	hasEnded: () => boolean,
	clock: TurnedClock,
	server: HostileServer,
	limitMs: number,
): Promise<Costs> {
	const begin = clock.now;
	const memory = process.memoryUsage.rss();
	const realBegin = performance.now();
	let [turn, idleSince, sampled] = [realBegin, realBegin, realBegin];
	let [turns, idleTurns, blockedMs, grownBytes] = [0, 0, 0, 0];
	const turnClockTo = (time: number) => {
		clock.turnTo(time);
		[turns, idleTurns] = [0, 0];
	};
	while (!hasEnded() && clock.now - begin <= limitMs && turn - realBegin < HANGS_MS) {
		await nextTurn();
		const before = turn;
		turn = performance.now();
		blockedMs = Math.max(blockedMs, turn - before);
		if (turn - sampled > SAMPLE_MS) {
			sampled = turn;
			grownBytes = Math.max(grownBytes, process.memoryUsage.rss() - memory);
		}
		turns += 1;
		if (server.isBusy) [turns, idleTurns, idleSince] = [0, 0, turn];
		else if (turn - idleSince > IDLE_MS) idleTurns += 1;
		if (server.isDripping && turns > TURNS_OF_A_SECOND) {
			server.tick();
			turnClockTo(clock.now + 1000);
		} else if (idleTurns > IDLE_TURNS && clock.next !== undefined) turnClockTo(clock.next);
	}
	return { blockedMs, grownBytes };
}

/** How long a subject may take. */
export const getLimitMs = (
	{ refusesForSure, asksForPause }: Behaviour,
	{ limitMs, patienceMs = 0 }: Subject,
): number => limitMs + (refusesForSure || asksForPause ? patienceMs : 0);

/** Lets a subject meet a hostile service. */
export async function observe(
	behaviour: Behaviour,
	subject: Subject,
	service: Service,
): Promise<Meeting> {
	const { handler } = behaviour;
	const { prepare, isHit } = subject;
	const server = await startHostileServer(service.url);
	const unhandled: unknown[] = [];
	const note = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', note);
	try {
		const act = await prepare(server, service);
		server.turn(handler, isHit);
		using clock = new TurnedClock();
		clock.turnTo(clock.now + LATER_MS);
		const meeting: { outcome: MeetingOutcome | undefined } = { outcome: undefined };
		void act().then((outcome) => {
			meeting.outcome = outcome;
		});
		const hasEnded = () => meeting.outcome !== undefined;
		const costs = await turnUntil(hasEnded, clock, server, getLimitMs(behaviour, subject));
		return { ...meeting, ...costs, unhandled, server };
	} finally {
		process.off('unhandledRejection', note);
		await server.close();
	}
}
