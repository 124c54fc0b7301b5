/** A change that breaks the package, and the test of the fast suite that must fail. */
export interface Mutation {
	/** what the broken package does */
	what: string;
	file: string;
	/** text that the file contains exactly once */
	from: string;
	to: string;
	/** the test that must fail, with its full name as jest reports it */
	testFile: string;
	testName: string;
}

const ACTION = 'nodes/VoiceAssistantCalling';
const TRIGGER = 'nodes/VoiceAssistantCallingTrigger';
const TOOL_TRIGGER = 'nodes/VoiceAssistantCallingMidCallToolTrigger';
const POLL_TRIGGER = 'nodes/VoiceAssistantCallingPollTrigger';

export const MUTATIONS: Mutation[] = [
	{
		what: 'a search in a picker stops at the first page with a match',
		file: 'nodes/shared/pickers/visitPages.ts',
		from: "filter.trim() === '' ? 1 : MAX_PER_PAGE",
		to: '1',
		testFile: 'test/nodes/action/methods/listSearch.test.mts',
		testName: 'the picker of assistants finds the records of all pages',
	},
	{
		what: 'the trigger accepts deliveries without their token',
		file: 'nodes/shared/webhook/authentication.ts',
		from: 'if (!hasHash(given, registered.hash)) return undefined;',
		to: '',
		testFile: 'test/nodes/trigger/receive.test.mts',
		testName:
			'a delivery without the registered token is answered with 401 and starts nothing: a wrong one',
	},
	{
		what: 'two triggers that are published at the same moment are both registered',
		file: 'nodes/shared/webhook/lock.ts',
		from: 'keys.flatMap((key) => ends.get(key) ?? [])',
		to: 'keys.flatMap((): Promise<unknown>[] => [])',
		testFile: 'test/nodes/trigger/hooks.test.mts',
		testName:
			'the hooks for callCompleted register one of two triggers that are published at the same moment, and refuse the other',
	},
	{
		what: 'unpublishing removes the webhook URL of another system',
		file: `${TRIGGER}/registration.ts`,
		from: "if (state.owner === 'ours') await restore",
		to: "if (state.owner !== 'none') await restore",
		testFile: 'test/nodes/trigger/lifecycle.test.mts',
		testName:
			'a workflow in n8n 2.41, for callCompleted does not remove the address of someone who replaced it',
	},
	{
		what: 'the poll trigger moves its cursor past calls that it has not handed out',
		file: `${POLL_TRIGGER}/cursor.ts`,
		from: 'open.set(call.id, call.createdAt);',
		to: 'finished.set(call.id, toHour(call.createdAt));',
		testFile: 'test/nodes/pollTrigger/poll.test.mts',
		testName: 'the poll trigger does not start before a call has finished',
	},
	{
		what: 'one call that is dated in the future moves the cursor of the poll trigger',
		file: `${POLL_TRIGGER}/cursor.ts`,
		from: 'const RECENT_RANK = 20;',
		to: 'const RECENT_RANK = 1;',
		testFile: 'test/nodes/pollTrigger/cursor.test.mts',
		testName: 'the cursor is not moved by 19 calls that are dated in the future',
	},
	{
		what: 'the poll trigger hands out calls that have not finished',
		file: `${POLL_TRIGGER}/cursor.ts`,
		from: 'if (!call.isFinal) {',
		to: "if (call.id === '') {",
		testFile: 'test/nodes/pollTrigger/poll.test.mts',
		testName: 'the poll trigger does not start before a call has finished',
	},
	{
		what: 'the poll trigger reads no further back than the newest call',
		file: `${POLL_TRIGGER}/reading.ts`,
		from: 'return [...this.cursor.open.keys()].every((id) => this.createdAt.has(id));',
		to: 'return true;',
		testFile: 'test/nodes/pollTrigger/size.test.mts',
		testName: 'the requests of a poll reach back to the oldest call that is open, and no further',
	},
	{
		what: 'the poll trigger keeps the ids of all calls for ever',
		file: `${POLL_TRIGGER}/cursor.ts`,
		from: 'finished: since(toHour(knownSince), cursor.finished),',
		to: 'finished: cursor.finished,',
		testFile: 'test/nodes/pollTrigger/cursor.test.mts',
		testName: 'the cursor keeps as much as the calls of a day need, however many there were',
	},
	{
		what: 'a copy of the poll trigger continues with the cursors of the original',
		file: `${POLL_TRIGGER}/finishedCalls.ts`,
		from: 'staticData.owner === owner',
		to: "staticData.owner !== ''",
		testFile: 'test/nodes/pollTrigger/poll.test.mts',
		testName: 'a trigger with the static data of another one starts anew: a copy of the workflow',
	},
	{
		what: 'a manual run of the poll trigger reads only the beginning of a long list',
		file: `${POLL_TRIGGER}/newestCall.ts`,
		from: 'if (order.isNewestFirst) return newest;',
		to: 'if (last > 0) return newest;',
		testFile: 'test/nodes/pollTrigger/size.test.mts',
		testName: 'a manual run on a long list shows the newest call when the oldest come first',
	},
	{
		what: 'a scheduled poll gets the short time limit of an activation',
		file: `${POLL_TRIGGER}/poll.ts`,
		from: 'isActivation ? ACTIVATION_LIMITS : POLL_LIMITS',
		to: 'ACTIVATION_LIMITS',
		testFile: 'test/nodes/pollTrigger/poll.test.mts',
		testName: 'a poll that fails is no failure when a scheduled poll waits longer for the service',
	},
	{
		what: 'polls that overlap hand out the same calls',
		file: `${POLL_TRIGGER}/finishedCalls.ts`,
		from: 'const cursors = cursorsIn(staticData, owner);',
		to: 'const cursors = before;',
		testFile: 'test/nodes/pollTrigger/poll.test.mts',
		testName: 'a poll that overlaps with another one starts for no call twice',
	},
	{
		what: 'a refusal that names no duplicate is skipped as one',
		file: `${ACTION}/resources/lead/onDuplicate.ts`,
		from: 'DUPLICATE.test(text)',
		to: "DUPLICATE.test(text) || text !== ''",
		testFile: 'test/nodes/action/resources/onDuplicate.test.mts',
		testName: 'with Skip, it is a refusal and no duplicate when the number is none',
	},
	{
		what: 'a skipped duplicate loses a new secondary contact',
		file: `${ACTION}/resources/lead/onDuplicate.ts`,
		from: 'numbers.every((field) => fields.includes(field))',
		to: 'numbers.length > 0',
		testFile: 'test/nodes/action/resources/onDuplicate.test.mts',
		testName:
			'with Skip, it is a refusal and no duplicate when a secondary contact is new, because nobody may be lost',
	},
	{
		what: 'an empty cell overwrites a variable of the lead',
		file: `${ACTION}/resources/common/mergeVariables.ts`,
		from: '.filter(([, value]) => !isEmpty(value))',
		to: '.filter(([, value]) => !isEmpty(value ?? 0))',
		testFile: 'test/nodes/action/resources/requestBodies.test.mts',
		testName:
			'Send All Input Fields sends each field that has a value, as it is, without those to leave out',
	},
	{
		what: 'output items are not paired with their input',
		file: `${ACTION}/transport/run.ts`,
		from: '({ json, pairedItem: { item: index } })',
		to: '({ json })',
		testFile: 'test/nodes/action/transport/pages.test.mts',
		testName: 'several input items are each paired with their own records, however many',
	},
	{
		what: 'a recording is downloaded with the token',
		file: `${ACTION}/transport/download.ts`,
		from: 'context.helpers.httpRequest({',
		to: "context.helpers.httpRequestWithAuthentication.call(context as IExecuteFunctions, 'voiceAssistantCallingApi', {",
		testFile: 'test/nodes/action/resources/downloadRecording.test.mts',
		testName: 'the token does not go to the host of the recording',
	},
	{
		what: 'each item reads the list of assistants again',
		file: `${ACTION}/transport/sharedLists.ts`,
		from: 'lists.set(key, list);',
		to: '',
		testFile: 'test/nodes/action/resources/oneRecord.test.mts',
		testName: 'an assistant is found for each of 1,000 items, and each page is requested once',
	},
	{
		what: 'ten pages are read ahead, even for a record on the first page',
		file: 'nodes/shared/client/recordList.ts',
		from: 'Math.min(this.pagesAhead, this.pagesRead, ',
		to: 'Math.min(this.pagesAhead, ',
		testFile: 'test/nodes/action/resources/oneRecord.test.mts',
		testName: 'a call is found by a plain value, and no page is read for nothing',
	},
	{
		what: 'pages that no item needs are requested after the run',
		file: `${ACTION}/transport/run.ts`,
		from: 'limiter.end();',
		to: 'limiter.close();',
		testFile: 'test/nodes/action/resources/oneRecord.test.mts',
		testName:
			'a call is found before a page that cannot be read, which is not requested again after the run',
	},
	{
		what: 'an agent gets transcripts that it did not ask for',
		file: `${ACTION}/resources/call/callOutput.ts`,
		from: "longFields: ['transcript'],",
		to: '',
		testFile: 'test/nodes/action/resources/simplify.test.mts',
		testName: 'an agent gets no transcript unless it is selected',
	},
	{
		what: 'the codex names another node',
		file: `${ACTION}/VoiceAssistantCalling.node.json`,
		from: '"node": "n8n-nodes-voice-assistant-calling.voiceAssistantCalling"',
		to: '"node": "n8n-nodes-voice-assistant-calling.voiceAssistant"',
		testFile: 'test/package/tarball.test.mts',
		testName:
			'each codex file nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.json names an existing node',
	},
	{
		what: 'a write whose response was lost is sent again',
		file: 'nodes/shared/client/retry.ts',
		from: "failure.retryable === true && (method === 'GET' || isRateLimit(failure))",
		to: 'failure.retryable === true',
		testFile: 'test/nodes/action/transport/failures.test.mts',
		testName:
			'lead: create, a write is not sent again, not even by Retry On Fail, after {"drop":"after"}',
	},
	{
		what: 'the node follows redirects, with the token',
		file: 'nodes/shared/client/request.ts',
		from: 'disableFollowRedirect: true',
		to: 'disableFollowRedirect: false',
		testFile: 'test/nodes/shared/client/apiToken.test.mts',
		testName: 'a redirect to another host with status 307 is not followed by lead: create',
	},
	{
		what: 'the credential test follows redirects, with the token',
		file: `${ACTION}/methods/credentialTest.ts`,
		from: 'followRedirect: false',
		to: 'followRedirect: true',
		testFile: 'test/nodes/shared/client/credential.test.mts',
		testName: 'the test of the credential does not send the token to another host (302)',
	},
	{
		what: 'a retry ignores the waiting time of a rate limit',
		file: 'nodes/shared/client/retry.ts',
		from: 'retryAfterMs ?? Math.round(',
		to: 'Math.round(',
		testFile: 'test/nodes/action/transport/failures.test.mts',
		testName: 'a rate limit is waited for as long as the header in seconds says',
	},
	{
		what: 'a rate limit holds back only the item that met it',
		file: `${ACTION}/transport/run.ts`,
		from: 'onRateLimit: (ms) => limiter.pauseFor(ms, key),',
		to: '',
		testFile: 'test/nodes/action/transport/pacing.test.mts',
		testName: 'a rate limit pauses the whole run: nothing else is sent',
	},
	{
		what: 'all items are sent at once',
		file: `${ACTION}/transport/semaphore.ts`,
		from: 'if (this.free > 0) this.free--;',
		to: 'if (this.free > -Infinity) this.free--;',
		testFile: 'test/nodes/action/transport/pacing.test.mts',
		testName:
			'200 items are sent with at most 10 requests in progress, and are output in their order',
	},
	{
		what: 'one more item is sent after a failure',
		file: `${ACTION}/transport/limiter.ts`,
		from: 'if (closesOnFailure && !hasSucceeded) this.close();',
		to: '',
		testFile: 'test/nodes/action/transport/limiter.test.mts',
		testName:
			'a limiter that closes at a failure starts no task after a failure, and lets running tasks end',
	},
	{
		what: 'a failed request does not release its place',
		file: `${ACTION}/transport/limiter.ts`,
		from: 'this.close();\n\t\t\tthis.semaphore.release();',
		to: 'this.close();\n\t\t\tif (hasSucceeded) this.semaphore.release();',
		testFile: 'test/nodes/action/transport/limiter.test.mts',
		testName: 'a limiter runs the next task after one that throws',
	},
	{
		what: 'each expression is evaluated twice',
		file: `${ACTION}/fields/fieldValues.ts`,
		from: 'if (!isShown(field, values)) continue;',
		to: 'if (!isShown(field, values)) continue;\ncontext.getNodeParameter(field.name, item, field.default);',
		testFile: 'test/nodes/action/fields/evaluations.test.mts',
		testName: 'each expression of an item is evaluated once',
	},
	{
		what: 'n8n does not respond while items are prepared',
		file: `${ACTION}/transport/runItems.ts`,
		from: 'await sleep(0);',
		to: '',
		testFile: 'test/nodes/action/transport/runItems.test.mts',
		testName:
			'the event loop gets its turn between the items, however long it takes to prepare them',
	},
	{
		what: 'all items are prepared before the first one is sent',
		file: `${ACTION}/transport/runItems.ts`,
		from: 'new Semaphore(limiter.limit + PREPARED_AHEAD)',
		to: 'new Semaphore(Infinity)',
		testFile: 'test/nodes/action/transport/runItems.test.mts',
		testName:
			'a run of items prepares no more than ten items ahead of those in progress, 10 at a time',
	},
	{
		what: 'a page of a list is requested twice',
		file: 'nodes/shared/client/pages.ts',
		from: 'requested.get(number) ?? readPage(readEnvelope, number)',
		to: 'readPage(readEnvelope, number)',
		testFile: 'test/nodes/action/transport/listRecords.test.mts',
		testName:
			'reading a list that does not change takes as few requests as possible, all of one size, and never more at once than allowed',
	},
	{
		what: 'dates from expressions are sent as objects',
		file: 'nodes/shared/fields/dates.ts',
		from: 'if (isDate(value)) {',
		to: 'if (value === undefined) {',
		testFile: 'test/nodes/action/fields/input.test.mts',
		testName:
			'the date call: getAll: From Date given as ={{ new Date("2026-02-03T23:30:00Z") }} is sent as a day',
	},
	{
		what: 'an ID in a path is not checked',
		file: 'nodes/shared/client/ids.ts',
		from: String.raw`/^[1-9]\d{0,14}$/`,
		to: '/./',
		testFile: 'test/nodes/trigger/failures.test.mts',
		testName: 'an assistant that is not an ID is refused before anything is sent: ../calls',
	},
	{
		what: 'the path alone decides who owns a registration',
		file: 'nodes/shared/webhook/ownership.ts',
		from: "if (!own.tokenHashes.some((hash) => hasHash(token, hash))) return 'foreign';",
		to: '',
		testFile: 'test/nodes/trigger/hooks.test.mts',
		testName:
			'the hooks for callCompleted treat a copy with the same webhook id on another instance as foreign',
	},
	{
		what: 'listening for a test event disconnects production',
		file: `${TRIGGER}/registration.ts`,
		from: "const isLive = isTest(context) && owner === 'ours-in-other-mode'",
		to: "const isLive = false && owner === 'ours-in-other-mode'",
		testFile: 'test/nodes/trigger/hooks.test.mts',
		testName:
			'the hooks for callCompleted refuse to listen for a test event while production is live, and do not change it',
	},
	{
		what: 'a copy of a workflow has the same webhook path',
		file: `${TRIGGER}/VoiceAssistantCallingTrigger.node.ts`,
		from: '{{ $workflow.id }}/{{ $nodeId }}',
		to: '{{ $nodeId }}',
		testFile: 'test/nodes/trigger/hooks.test.mts',
		testName:
			'the path of the webhook is another one in a copy of the workflow that keeps all ids of its nodes',
	},
	{
		what: 'a forged delivery makes n8n read the credential',
		file: 'nodes/shared/webhook/authentication.ts',
		from: 'if (registered) {',
		to: 'if (registered && isSameToken(given, registered.token)) {',
		testFile: 'test/nodes/trigger/receive.test.mts',
		testName:
			'what a delivery costs a forged one is refused before the credential or a parameter is read',
	},
	{
		what: 'a filter drops calls that lack its field',
		file: 'nodes/shared/calls/passesFilters.ts',
		from: "asText(type) === '' || includesOneOf(wanted, [type])",
		to: 'includesOneOf(wanted, [type])',
		testFile: 'test/nodes/trigger/receive.test.mts',
		testName: 'a filter lets a call pass that lacks its field: {}',
	},
	{
		what: 'a call that does not pass the filters starts an execution',
		file: `${TRIGGER}/receive.ts`,
		from: 'if (!passesFilters(call, this.getNodeParameter(',
		to: 'if (false && !passesFilters(call, this.getNodeParameter(',
		testFile: 'test/nodes/trigger/receive.test.mts',
		testName: 'a filter answers 200 and starts nothing for a call with another campaign',
	},
	{
		what: 'unpublishing does not put the replaced webhook URL back',
		file: `${TRIGGER}/registration.ts`,
		from: "if (owner === 'foreign') return { registration, settings: otherSettings };",
		to: "if (owner === 'foreign') return { settings: otherSettings };",
		testFile: 'test/nodes/trigger/options.test.mts',
		testName:
			'Replace Existing Webhook in n8n 2.41 takes over, and puts back the URL of the other system (callCompleted)',
	},
	{
		what: 'the trigger takes its own URL for the replaced one',
		file: `${TRIGGER}/registration.ts`,
		from: 'return { ...replaced, settings: { ...otherSettings, ...replaced.settings } };',
		to: 'return { registration, settings: otherSettings };',
		testFile: 'test/nodes/trigger/options.test.mts',
		testName:
			'Replace Existing Webhook in n8n 2.41 does not take its own URL for the other one when it was switched off and registers again',
	},
	{
		what: 'listening for a test event replaces the webhook URL of another system',
		file: `${TRIGGER}/registration.ts`,
		from: 'if (isTest(context)) return messages.urlTakenInTest(values);',
		to: 'if (isTest(context)) return undefined;',
		testFile: 'test/nodes/trigger/options.test.mts',
		testName:
			'Replace Existing Webhook in n8n 2.41 never replaces a URL while listening for a test event',
	},
	{
		what: "unpublishing does not put the assistant's settings back",
		file: `${TRIGGER}/registration.ts`,
		from: ': event.unregister(assistantId, settings);',
		to: ': event.unregister(assistantId, {});',
		testFile: 'test/nodes/trigger/options.test.mts',
		testName:
			"the assistant's settings in n8n 2.41 change in the write that registers, and in the write that unregisters",
	},
	{
		what: 'the trigger does not look again after it has registered',
		file: `${TRIGGER}/registration.ts`,
		from: "if (after.owner === 'ours' && after.registration.isActive) return;",
		to: 'if (after) return;',
		testFile: 'test/nodes/trigger/failures.test.mts',
		testName: 'a service that does not keep the webhook URL makes create fail with a message',
	},
	{
		what: 'a disabled webhook whose response was lost is not checked again',
		file: 'nodes/shared/webhook/hooks.ts',
		from: 'if (!hasUnknownOutcome(error)) throw',
		to: 'if (error) throw',
		testFile: 'test/nodes/trigger/failures.test.mts',
		testName:
			'a service that is down gets the request to unregister again when its response was lost and nothing was done',
	},
	{
		what: 'a hook waits 30 seconds for a service that does not answer',
		file: 'nodes/shared/client/deadline.ts',
		from: 'HOOK_TIME_LIMIT_MS = 2_500',
		to: 'HOOK_TIME_LIMIT_MS = 30_000',
		testFile: 'test/nodes/trigger/failures.test.mts',
		testName: 'a service that never answers lets an attempt to publish end in time',
	},
	{
		what: 'the transcript is left out of the item, but not of the raw body',
		file: `${TRIGGER}/leaveOut.ts`,
		from: 'const raw = omitFields(body, names)',
		to: 'const raw = omitFields(body, [])',
		testFile: 'test/nodes/trigger/receive.test.mts',
		testName: 'what is left out of a call ["transcript"]: nowhere in the item',
	},
	{
		what: 'a tool call without the secret starts the workflow',
		file: `${TOOL_TRIGGER}/receive.ts`,
		from: 'if (!(await authenticate(this, token, getPurpose))) return respondUnauthorized(this);',
		to: 'await authenticate(this, token, getPurpose);',
		testFile: 'test/nodes/midCallToolTrigger/receive.test.mts',
		testName: 'a call without the secret gets 401 and starts nothing: a wrong one',
	},
	{
		what: 'attaching a tool detaches the tools of others',
		file: `${TOOL_TRIGGER}/attachment.ts`,
		from: 'id === wanted || !own.includes(id)',
		to: 'id === wanted',
		testFile: 'test/nodes/midCallToolTrigger/hooks.test.mts',
		testName:
			'publishing creates the tool as the node describes it, and attaches it beside the other tools',
	},
	{
		what: 'each publish creates another tool',
		file: `${TOOL_TRIGGER}/readState.ts`,
		from: 'stored?.toolId ??',
		to: '',
		testFile: 'test/nodes/midCallToolTrigger/hooks.test.mts',
		testName: 'unpublishing takes the tool from all assistants, keeps it, and uses it again',
	},
	{
		what: 'unpublishing detaches a tool that belongs to another system by now',
		file: `${TOOL_TRIGGER}/registration.ts`,
		from: "const isOwn = (tool: IDataObject) => getOwner(tool) === 'ours';",
		to: "const isOwn = (tool: IDataObject) => getOwner(tool) !== 'none';",
		testFile: 'test/nodes/midCallToolTrigger/hooks.test.mts',
		testName: 'unpublishing leaves a tool that now belongs to another system',
	},
	{
		what: 'an existing tool of another system is overwritten without being asked',
		file: `${TOOL_TRIGGER}/refusal.ts`,
		from: "return owner === 'foreign' ? messages.toolTaken(tool) : undefined;",
		to: 'return undefined;',
		testFile: 'test/nodes/midCallToolTrigger/hooks.test.mts',
		testName:
			'publishing is refused, and nothing changes, when the existing tool belongs to another system',
	},
	{
		what: 'the assistant hears the error of n8n instead of the fallback',
		file: `${TOOL_TRIGGER}/answerOnce.ts`,
		from: 'if (!isAnswer) return sendFallback();',
		to: '',
		testFile: 'test/nodes/midCallToolTrigger/answerOnce.test.mts',
		testName: 'a request of a tool gets the fallback when the workflow fails',
	},
	{
		what: 'a late answer reaches a response that has been sent',
		file: `${TOOL_TRIGGER}/answerOnce.ts`,
		from: '		end(body);\n		ignoreFurtherAnswers(response);',
		to: '		end(body);',
		testFile: 'test/nodes/midCallToolTrigger/answerOnce.test.mts',
		testName:
			'a request of a tool gets only the first one of a failure and then an answer, and nothing throws',
	},
	{
		what: 'a tool call with wrong values starts the workflow',
		file: `${TOOL_TRIGGER}/receive.ts`,
		from: "if ('problem' in given) return refuse(this, 422, given.problem);",
		to: "if ('problem' in given) return { workflowData: [[{ json: {} }]] };",
		testFile: 'test/nodes/midCallToolTrigger/receive.test.mts',
		testName:
			'a call with wrong values gets 422 in words for the assistant, and starts nothing: wrong types',
	},
	{
		what: 'a campaign that a loop starts again gives no warning',
		file: 'nodes/VoiceAssistantCalling/resources/campaign/start.operation.ts',
		from: 'runIndex === 0 &&',
		to: 'runIndex >= 0 &&',
		testFile: 'test/nodes/action/hints.test.mts',
		testName: 'after a run, a hint warns of a start in a loop',
	},
	{
		what: 'a phone number that has a country code gets the default one',
		file: `${ACTION}/fields/phoneNumbers.ts`,
		from: 'return [digits.slice(1)];',
		to: 'return [code + digits.slice(1)];',
		testFile: 'test/nodes/action/fields/phoneNumbers.test.mts',
		testName:
			'a phone number as people have it "+43 664 1234567" with the country code "49" is sent as +436641234567',
	},
	{
		what: 'a phone number is completed to one that its country does not have',
		file: `${ACTION}/fields/phoneNumbers.ts`,
		from: 'E164.test(digits) && matches(digits.slice(code.length), plan.national)',
		to: 'E164.test(digits)',
		testFile: 'test/nodes/action/fields/phoneNumbers.test.mts',
		testName:
			'a phone number as people have it "(812) 123-45-67" with the country code "7" is sent as +78121234567',
	},
	{
		what: 'a negative number of a spreadsheet becomes a phone number',
		file: 'nodes/shared/fields/textRule.ts',
		from: String.raw`'^(?![\\s\\p{Cf}]*[\\p{Pd}−])',`,
		to: "'^',",
		testFile: 'test/nodes/action/fields/phoneNumbers.test.mts',
		testName:
			'the phone number of lead: create: Phone Number is refused by name when it is certainly none, and nothing is sent',
	},
	{
		what: 'texts are sent without a check of their length',
		file: 'nodes/shared/fields/textRule.ts',
		from: 'return count > maxLength',
		to: 'return count > Infinity',
		testFile: 'test/nodes/action/fields/textRules.test.mts',
		testName:
			'the length of sms: send: Message is refused above the limit of the contract, and nothing is sent',
	},
	{
		what: 'all items go to the account of the first one',
		file: `${ACTION}/transport/accounts.ts`,
		from: 'return index.isUsed || !canWatch(context) ? undefined : credential;',
		to: 'return credential;',
		testFile: 'test/nodes/action/transport/accounts.test.mts',
		testName:
			"with the default engine, a token that is an expression is read for each item: ={{ $itemIndex === 3 ? 'A' : 'B' }}",
	},
	{
		what: 'a pause of one account stops the items of another one',
		file: `${ACTION}/transport/limiter.ts`,
		from: 'this.pauseEnds.get(account) ?? 0) - Date.now()',
		to: 'this.lastPauseEnd) - Date.now()',
		testFile: 'test/nodes/action/transport/accounts.test.mts',
		testName: 'items of several accounts take the places of items whose account pauses',
	},
	{
		what: 'Retry On Fail takes the result of another account for that of an item',
		file: `${ACTION}/transport/run.ts`,
		from: 'earlier?.account === account.key',
		to: 'earlier',
		testFile: 'test/nodes/action/transport/accounts.test.mts',
		testName:
			'items of several accounts are sent once by Retry On Fail, but to another account if their account has changed',
	},
	{
		what: 'a list is read without a bound',
		file: 'nodes/shared/client/pages.ts',
		from: 'if (count > MAX_RECORDS || number > MAX_PAGES) throw new ListTooLong();',
		to: '',
		testFile: 'test/nodes/action/transport/listRecords.test.mts',
		testName: 'more than 100,000 records are refused, with 10 pages at once',
	},
	{
		what: 'a pause that the service asks for does not count for the deadline of a hook',
		file: 'nodes/shared/client/retry.ts',
		from: 'leftMs() <= delay',
		to: 'requestEnd - Date.now() <= delay',
		testFile: 'test/nodes/shared/client/deadline.test.mts',
		testName: 'a deadline of all requests counts the pauses too',
	},
	{
		what: 'a body is read although it never ends',
		file: 'nodes/shared/client/readBody.ts',
		from: "if (bytes > MAX_BODY_BYTES) throw new UnusableBody('too large');",
		to: '',
		testFile: 'test/nodes/shared/client/readBody.test.mts',
		testName:
			'a body that grows without end when it is unpacked is given up, and not asked for again',
	},
	{
		what: 'an option of a trigger that an expression leaves empty switches the setting off',
		file: `${TRIGGER}/readState.ts`,
		from: 'const wanted = toBoolean(options[name]);',
		to: 'const wanted = isOn(options[name]);',
		testFile: 'test/nodes/trigger/options.test.mts',
		testName:
			'an option by an expression, in the default engine {{ "" }} sets both settings to undefined, and nothing if it is empty',
	},
	{
		what: 'a message shows the API token that the service repeats',
		file: 'nodes/shared/client/serviceText.ts',
		from: "line.replace(new RegExp(literal(secret), 'gi'), '***')",
		to: 'line',
		testFile: 'test/nodes/shared/client/response.test.mts',
		testName: 'an API token that the service repeats as plain text is not shown',
	},
	{
		what: 'a read is repeated after a failure that time cannot mend',
		file: 'nodes/shared/client/connection.ts',
		from: 'PASSING.has(code)',
		to: 'true',
		testFile: 'test/nodes/shared/client/connection.test.mts',
		testName:
			"through n8n's HTTP helper a read is not repeated when the server does not speak HTTP",
	},
];
