const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** What the process remembers beside what n8n stores, and for how long after the last change. */
const LIFETIMES_MS = {
	/** What the last hook of a trigger did, for the hooks of its other methods. n8n 2.41 gives up a publish after 84 s. */
	lastHooks: 120 * SECOND_MS,
	/** When an unpublish began, from its end. The publish of an edited version comes next, also in a busy n8n. */
	unpublish: 12 * SECOND_MS,
	/** An attempt to publish changed nothing. `delete` comes at once (n8n.md#failed-publish). */
	unchanged: SECOND_MS,
	/** The assistant that a trigger was taken off, for the attempts of the publish that follows. */
	takenOff: 120 * SECOND_MS,
	/** The name of a workflow. n8n is started again before that. */
	workflowNames: 365 * DAY_MS,
	/** A service showed a tool at an assistant that did not get it. It hardly ever changes that. */
	showsAllTools: DAY_MS,
	/** It is not known whether a tool was created. n8n 2.41 tries five times to publish within this time. */
	creationUnknown: 60 * SECOND_MS,
	/**
	 * What a publish replaced. Static data have it too, but n8n 2.0 forgets them when the publish fails. A
	 * user publishes again before a month is over, or the workflow is gone.
	 */
	replaced: 30 * DAY_MS,
	/** What a node has sent in an execution. Hardly any execution has a longer break between two runs. */
	sentItems: DAY_MS,
	/** Which names the service of an account takes for the fields of assistants. A provider can change it. */
	assistantFields: 60 * 60 * SECOND_MS,
	/** A provider lacks the operation for one record. It may get it, as others have. */
	lacksRecords: 60 * 60 * SECOND_MS,
	/** What happens again and again, until the next line about it may be written, and its count. */
	loggedHourly: 2 * 60 * 60 * SECOND_MS,
	/** A tool call without usable values. Whoever is asked for them answers within this time. */
	refusedToolCalls: 60 * SECOND_MS,
	/** A service that no poll reaches, from the last poll that failed. */
	outages: DAY_MS,
	/** What a poll has left for the next one, and the newest activation. n8n polls once a month or more often. */
	polls: 32 * DAY_MS,
	/** A run that waits for n8n. After a cancel, its request may have no end. */
	waitingRuns: 60 * SECOND_MS,
	/** How long n8n needs until it begins with the next run. A slow hour holds back nobody later. */
	runDelays: 60 * SECOND_MS,
	/** The shortest delay of a run in another process. A clock that is set makes runs late until it is forgotten. */
	shortestDelays: 60 * SECOND_MS,
	/** A request whose workflow answers. It is the longest time that users can choose. */
	answers: 600 * SECOND_MS,
	/** A request at the inbound webhook that belongs to the other event, for the next publish. */
	otherEvents: DAY_MS,
	/**
	 * A delivery that started the workflow. The longest documented wait for a repetition is two minutes
	 * (public-service: Conversation-ended webhook; none is shown for calls). What comes later, a person sent.
	 */
	deliveredCalls: 600 * SECOND_MS,
};

/** The most entries of one memory: those of 10,000 calls a day, each delivered twice. */
const MAX_ENTRIES = 20_000;

/**
 * Remembers something in this process, for a limited time. There is no timer: what is too old
 * goes away at the next use, and the oldest when there is too much.
 */
export class ProcessMemory<Value> {
	private readonly lifetimeMs: number;

	/** The oldest comes first. */
	private readonly entries = new Map<string, { value: Value; endsAt: number }>();

	constructor(area: keyof typeof LIFETIMES_MS) {
		this.lifetimeMs = LIFETIMES_MS[area];
	}

	/** How many values are remembered. */
	get size(): number {
		this.forgetOld();
		return this.entries.size;
	}

	/** @returns undefined when nothing is remembered, or not any more */
	get(key: string): Value | undefined {
		this.forgetOld();
		const entry = this.entries.get(key);
		// The clock may have been set back since an older entry, which then still waits for its end.
		return entry && entry.endsAt > Date.now() ? entry.value : undefined;
	}

	/** Remembers a value from now on, in place of an earlier one. */
	set(key: string, value: Value): void {
		this.forgetOld();
		this.entries.delete(key);
		this.entries.set(key, { value, endsAt: Date.now() + this.lifetimeMs });
		const [oldest] = this.entries.keys();
		if (oldest !== undefined && this.entries.size > MAX_ENTRIES) this.entries.delete(oldest);
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	/** Forgets all whose key begins so. */
	deleteAll(beginning: string): void {
		for (const key of this.entries.keys()) {
			if (key.startsWith(beginning)) this.entries.delete(key);
		}
	}

	private forgetOld(): void {
		const now = Date.now();
		for (const [key, { endsAt }] of this.entries) {
			if (endsAt > now) return;
			this.entries.delete(key);
		}
	}
}
