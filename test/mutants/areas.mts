/** A part of the package that decides about people or money, and the tests that prove it. */
export interface Area {
	/** globs of its files */
	files: string[];
	/** globs of the test files that prove it */
	tests: string[];
	/** how many of 100 mutants these tests find at least; undefined until a night has told */
	least?: number;
}

const TRANSPORT = 'nodes/VoiceAssistantCalling/transport';
const TRIGGER = 'nodes/VoiceAssistantCallingTrigger';
const TOOL = 'nodes/VoiceAssistantCallingMidCallToolTrigger';

/** By what the area decides. A file is in one area only. */
export const AREAS: Record<string, Area> = {
	'who is reached, and what is spent': {
		files: [
			`${TRANSPORT}/steps/doNotCall.ts`,
			`${TRANSPORT}/steps/doneKeys.ts`,
			`${TRANSPORT}/steps/earlierExecution.ts`,
			`${TRANSPORT}/steps/dryRun.ts`,
			`${TRANSPORT}/steps/firstTry.ts`,
			`${TRANSPORT}/steps/index.ts`,
			`${TRANSPORT}/steps/maximumItems.ts`,
			`${TRANSPORT}/steps/onlyOnce.ts`,
		],
		tests: [
			'test/nodes/action/transport/doNotCall.test.mts',
			'test/nodes/action/transport/earlierExecution.test.mts',
			'test/nodes/action/transport/onlyOnce.test.mts',
			'test/nodes/action/transport/runLimits.test.mts',
			'test/nodes/action/resources/onDuplicate.test.mts',
		],
		least: 88,
	},
	'what is sent, and sent again': {
		files: [
			`${TRANSPORT}/accounts.ts`,
			`${TRANSPORT}/requestSender.ts`,
			`${TRANSPORT}/run.ts`,
			'nodes/shared/client/failedRequest.ts',
			'nodes/shared/client/retry.ts',
			'nodes/shared/client/response.ts',
			'nodes/VoiceAssistantCalling/resources/lead/onDuplicate.ts',
		],
		tests: [
			'test/nodes/action/transport/*.test.mts',
			'test/nodes/shared/client/*.test.mts',
			'test/nodes/action/resources/onDuplicate.test.mts',
		],
	},
	'whose number it is': {
		files: [
			`${TRANSPORT}/steps/phoneNumberCheck.ts`,
			'nodes/VoiceAssistantCalling/fields/phoneNumberSet.ts',
			'nodes/shared/fields/phoneNumbers.ts',
		],
		tests: [
			'test/nodes/action/fields/phoneNumber*.test.mts',
			'test/nodes/action/transport/phoneNumberCheck.test.mts',
			'test/nodes/action/transport/doNotCall.test.mts',
		],
		least: 85,
	},
	'where the API token goes': {
		files: [
			`${TRANSPORT}/download.ts`,
			'nodes/VoiceAssistantCalling/methods/credentialTest.ts',
			'nodes/shared/client/connection.ts',
			'nodes/shared/client/request.ts',
			'nodes/shared/values/serviceText.ts',
		],
		tests: [
			'test/nodes/action/resources/downloadRecording.test.mts',
			'test/nodes/action/transport/failures.test.mts',
			'test/nodes/action/transport/repeatedToken.test.mts',
			'test/nodes/shared/client/*.test.mts',
			'test/nodes/trigger/deadlines.test.mts',
			'test/nodes/trigger/failures.test.mts',
		],
		least: 75,
	},
	'whose webhook it is': {
		files: [
			'nodes/shared/webhook/*.ts',
			`${TRIGGER}/readWebhookState.ts`,
			`${TRIGGER}/webhookRefusal.ts`,
			`${TRIGGER}/webhookRegistration.ts`,
			`${TOOL}/attachment.ts`,
			`${TOOL}/otherTools.ts`,
			`${TOOL}/readToolState.ts`,
			`${TOOL}/toolRefusal.ts`,
			`${TOOL}/toolRegistration.ts`,
			`${TOOL}/ungivenTool.ts`,
		],
		tests: [
			'test/nodes/shared/webhook/*.test.mts',
			'test/nodes/trigger/*.test.mts',
			'test/nodes/midCallToolTrigger/*.test.mts',
		],
	},
	'what a delivery or a tool call starts': {
		files: [
			'nodes/shared/answers/*.ts',
			'nodes/shared/calls/isChosen.ts',
			`${TRIGGER}/deliveredCall.ts`,
			`${TRIGGER}/receiveDelivery.ts`,
			`${TRIGGER}/repeatedDelivery.ts`,
			`${TRIGGER}/question.ts`,
			`${TOOL}/callDetails.ts`,
			`${TOOL}/receiveToolCall.ts`,
		],
		tests: [
			'test/nodes/action/resources/respond.test.mts',
			'test/nodes/trigger/isN8nBehind.test.mts',
			'test/nodes/trigger/options.test.mts',
			'test/nodes/trigger/question.test.mts',
			'test/nodes/trigger/receiveDelivery.test.mts',
			'test/nodes/trigger/repeatedDelivery.test.mts',
			'test/nodes/midCallToolTrigger/callDetails.test.mts',
			'test/nodes/midCallToolTrigger/receiveToolCall.test.mts',
			'test/nodes/midCallToolTrigger/sameRequest.test.mts',
			'test/nodes/midCallToolTrigger/startInTime.test.mts',
			'test/nodes/shared/answers/*.test.mts',
			'test/nodes/shared/calls/*.test.mts',
		],
		least: 82,
	},
	'which finished calls a poll brings': {
		files: ['nodes/VoiceAssistantCallingPollTrigger/*.ts'],
		tests: ['test/nodes/pollTrigger/*.test.mts'],
	},
};
