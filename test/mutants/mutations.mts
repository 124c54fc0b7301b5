/** One way to break the package on purpose, and the test of the fast suite that has to notice. */
export interface Mutation {
	/** What the broken package does: "takes deliveries without their token". */
	what: string;
	file: string;
	/** Text that the file holds exactly once. */
	from: string;
	to: string;
	/** The test's file, and its whole name as jest gives it. */
	caughtBy: { file: string; name: string };
}

const ACTION = 'nodes/VoiceAssistantCalling';
const TRIGGER = 'nodes/VoiceAssistantCallingTrigger';

export const MUTATIONS: Mutation[] = [
	{
		what: 'the trigger takes deliveries without their token',
		file: 'nodes/shared/webhook/authentication.ts',
		from: 'if (!isSameToken(given, registered.token)) return undefined;',
		to: '',
		caughtBy: {
			file: 'test/nodes/trigger/receive.test.mts',
			name: 'a delivery without the registered token is answered with 401 and starts nothing: a wrong one',
		},
	},
	{
		what: 'unpublishing takes off whatever address is there',
		file: `${TRIGGER}/registration.ts`,
		from: "if (owner === 'ours') await",
		to: "if (owner !== 'none') await",
		caughtBy: {
			file: 'test/nodes/trigger/lifecycle.test.mts',
			name: 'a workflow in n8n 2.41 does not remove the address of someone who replaced it',
		},
	},
	{
		what: 'output items are not paired with their input',
		file: `${ACTION}/transport/sendItem.ts`,
		from: '({ json, pairedItem: { item } })',
		to: '({ json })',
		caughtBy: {
			file: 'test/nodes/action/transport/pages.test.mts',
			name: 'several input items are each paired with their own records, however many',
		},
	},
	{
		what: 'the codex is for a node of another name',
		file: `${ACTION}/VoiceAssistantCalling.node.json`,
		from: '"node": "n8n-nodes-voice-assistant-calling.voiceAssistantCalling"',
		to: '"node": "n8n-nodes-voice-assistant-calling.voiceAssistant"',
		caughtBy: {
			file: 'test/package/loading.test.mts',
			name: 'each codex file nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.json names an existing node',
		},
	},
	{
		what: 'a write whose answer was lost is sent again',
		file: 'nodes/shared/client/retry.ts',
		from: "failure.retryable === true && (method === 'GET' || isRateLimit(failure))",
		to: 'failure.retryable === true',
		caughtBy: {
			file: 'test/nodes/action/transport/failures.test.mts',
			name: 'lead: create, a write is sent once when the connection closes after it is done',
		},
	},
	{
		what: 'the node follows redirects, with the token',
		file: 'nodes/shared/client/request.ts',
		from: 'disableFollowRedirect: true',
		to: 'disableFollowRedirect: false',
		caughtBy: {
			file: 'test/nodes/shared/client/apiToken.test.mts',
			name: 'a redirect to another host with status 307 is not followed by lead: create',
		},
	},
	{
		what: 'the credential test follows redirects, with the token',
		file: `${ACTION}/methods/credentialTest.ts`,
		from: "redirect: 'manual'",
		to: "redirect: 'follow'",
		caughtBy: {
			file: 'test/nodes/shared/client/credential.test.mts',
			name: 'the test of the credential does not send the token to another host (302)',
		},
	},
	{
		what: 'a rate limit is not waited for as long as it asks',
		file: 'nodes/shared/client/retry.ts',
		from: 'retryAfterMs ?? FIRST_BACKOFF_MS',
		to: 'FIRST_BACKOFF_MS',
		caughtBy: {
			file: 'test/nodes/action/transport/failures.test.mts',
			name: 'a rate limit is waited for as long as the header in seconds says',
		},
	},
	{
		what: 'a rate limit holds back only the item that met it',
		file: `${ACTION}/transport/execute.ts`,
		from: 'onRateLimit: (ms) => limiter.pauseFor(ms),',
		to: '',
		caughtBy: {
			file: 'test/nodes/action/transport/pacing.test.mts',
			name: 'a rate limit pauses the whole run: nothing else is sent',
		},
	},
	{
		what: 'all items are sent at once',
		file: `${ACTION}/transport/semaphore.ts`,
		from: 'if (this.free > 0) this.free--;',
		to: 'if (this.free > -Infinity) this.free--;',
		caughtBy: {
			file: 'test/nodes/action/transport/pacing.test.mts',
			name: '200 items are sent with at most 10 requests in progress, and are output in their order',
		},
	},
	{
		what: 'one more item is sent after a failure',
		file: `${ACTION}/transport/limiter.ts`,
		from: 'if (closesOnFailure && !hasSucceeded) this.close();',
		to: '',
		caughtBy: {
			file: 'test/nodes/action/transport/limiter.test.mts',
			name: 'a limiter that closes at a failure starts no task after a failure, and lets running tasks end',
		},
	},
	{
		what: 'the place of a request that failed is lost',
		file: `${ACTION}/transport/limiter.ts`,
		from: 'this.semaphore.release();',
		to: 'if (hasSucceeded) this.semaphore.release();',
		caughtBy: {
			file: 'test/nodes/action/transport/limiter.test.mts',
			name: 'a limiter runs the next task after one that throws',
		},
	},
	{
		what: 'each expression is evaluated twice',
		file: `${ACTION}/fields/fieldValues.ts`,
		from: 'if (!isShown(field, values)) continue;',
		to: 'if (!isShown(field, values)) continue;\ncontext.getNodeParameter(field.name, item, field.default);',
		caughtBy: {
			file: 'test/nodes/action/fields/evaluations.test.mts',
			name: 'each expression of an item is evaluated once',
		},
	},
	{
		what: 'n8n answers nobody while items are prepared',
		file: `${ACTION}/transport/runItems.ts`,
		from: 'await sleep(0);',
		to: '',
		caughtBy: {
			file: 'test/nodes/action/transport/runItems.test.mts',
			name: 'the event loop gets its turn between the items, however long it takes to prepare them',
		},
	},
	{
		what: 'all items are prepared before the first one is sent',
		file: `${ACTION}/transport/runItems.ts`,
		from: 'new Semaphore(limiter.limit + PREPARED_AHEAD)',
		to: 'new Semaphore(Infinity)',
		caughtBy: {
			file: 'test/nodes/action/transport/runItems.test.mts',
			name: 'a run of items prepares no more than ten items ahead of those in progress, 10 at a time',
		},
	},
	{
		what: 'a page of a list is asked for twice',
		file: 'nodes/shared/client/pages.ts',
		from: 'requested.get(number) ?? readPage(readEnvelope, number)',
		to: 'readPage(readEnvelope, number)',
		caughtBy: {
			file: 'test/nodes/action/transport/listRecords.test.mts',
			name: 'reading a list that does not change takes as few requests as possible, all of one size, and never more at once than allowed',
		},
	},
	{
		what: 'dates that expressions give are taken apart',
		file: `${ACTION}/fields/buildRequest.ts`,
		from: 'isRecord(value) && !isDate(value)',
		to: 'isRecord(value)',
		caughtBy: {
			file: 'test/nodes/action/fields/input.test.mts',
			name: 'the date call: getAll: From Date given as ={{ new Date("2026-02-03T23:30:00Z") }} is sent as a day',
		},
	},
	{
		what: 'anything goes for an ID in an address',
		file: 'nodes/shared/client/ids.ts',
		from: String.raw`/^[1-9]\d{0,14}$/`,
		to: '/./',
		caughtBy: {
			file: 'test/nodes/trigger/failures.test.mts',
			name: 'an assistant that is not an ID is refused before anything is sent: ../calls',
		},
	},
	{
		what: 'whose a registration is goes by its path alone',
		file: 'nodes/shared/webhook/ownership.ts',
		from: 'if (!own.tokens.some((known) => isSameToken(token, known)))',
		to: 'if (!own.tokens.some((known) => isSameToken(token, known)) && false)',
		caughtBy: {
			file: 'test/nodes/trigger/hooks.test.mts',
			name: 'the hooks for callCompleted treat a copy with the same webhook id on another instance as foreign',
		},
	},
	{
		what: 'listening for a test event cuts production off',
		file: `${TRIGGER}/registration.ts`,
		from: "const isLive = isTest && owner === 'ours-in-other-mode'",
		to: "const isLive = false && owner === 'ours-in-other-mode'",
		caughtBy: {
			file: 'test/nodes/trigger/hooks.test.mts',
			name: 'the hooks for callCompleted refuse to listen for a test event while production is live, and do not change it',
		},
	},
	{
		what: 'a copy of a workflow cannot be published beside it, or takes its calls',
		file: `${TRIGGER}/VoiceAssistantCallingTrigger.node.ts`,
		from: '{{ $workflow.id }}/{{ $nodeId }}',
		to: '{{ $nodeId }}',
		caughtBy: {
			file: 'test/nodes/trigger/description.test.mts',
			name: 'the path of the webhook is another one in a copy of the workflow that keeps all ids of its nodes',
		},
	},
	{
		what: 'a forged delivery makes n8n read the credential',
		file: 'nodes/shared/webhook/authentication.ts',
		from: 'if (registered) {',
		to: 'if (registered && isSameToken(given, registered.token)) {',
		caughtBy: {
			file: 'test/nodes/trigger/receive.test.mts',
			name: 'what a delivery costs a forged one is refused before the credential or a parameter is read',
		},
	},
];
