import { wait } from '../base/realTime.mts';
import type { Engine } from '../domain/context.mts';
import type { Journal } from '../http/journal.mts';

/** At least so long between two changes, in real milliseconds. */
const PAUSE_MS = 250;

/** After so many pauses without a change, a comment shows that the connection is alive. */
const QUIET_PAUSES = 60;

/**
 * Server-sent events (HTML standard, section 9.2) that say that something has changed, but not what:
 * who reads slowly misses nothing.
 *
 * @param ended ends them
 */
export async function* liveChanges(
	{ engine, journal }: { engine: Engine; journal: Journal },
	ended: AbortSignal,
): AsyncGenerator<string> {
	const { events } = engine.state;
	let told = '';
	let quietPauses = 0;
	while (!ended.aborted) {
		const revision = `${events.revision} ${journal.revision}`;
		quietPauses += 1;
		if (revision !== told) {
			told = revision;
			quietPauses = 0;
			const now = new Date(engine.now()).toISOString();
			const change = { last_event: events.lastId, last_request: journal.lastId, now };
			yield `event: change\ndata: ${JSON.stringify(change)}\n\n`;
		} else if (quietPauses === QUIET_PAUSES) {
			quietPauses = 0;
			yield ': no change\n\n';
		}
		await wait(PAUSE_MS, ended);
	}
}
