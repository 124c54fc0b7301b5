/** A part of the package that decides about people or money, and the tests that prove it. */
export interface Area {
	/** globs of its files; a file in none of them is not mutated */
	mutate: string[];
	/** globs of the test files */
	tests: string[];
	/** how many of 100 mutants these tests must find */
	least: number;
}

/** By what the area decides. Nothing is mutated twice. */
export const AREAS: Record<string, Area> = {
	'who is reached, and what is spent': {
		mutate: [
			'nodes/VoiceAssistantCalling/transport/{doNotCall,doneKeys,earlierExecution,heldBack}.ts',
			'nodes/VoiceAssistantCalling/transport/{onlyOnce,spending}.ts',
		],
		tests: [
			'test/nodes/action/transport/{doNotCall,earlierExecution,onlyOnce,spending}.test.mts',
			'test/nodes/action/resources/onDuplicate.test.mts',
		],
		least: 0,
	},
	'what is sent again': {
		mutate: ['nodes/shared/client/{failedRequest,retry}.ts'],
		tests: [
			'test/nodes/action/transport/{failures,pacing,rateLimit}.test.mts',
			'test/nodes/shared/client/*.test.mts',
		],
		least: 0,
	},
	'whose webhook it is': {
		mutate: [
			'nodes/shared/webhook/{authentication,lock,ownership,registeredToken,token}.ts',
			'nodes/VoiceAssistantCallingTrigger/refusal.ts',
		],
		tests: [
			'test/nodes/shared/webhook/*.test.mts',
			'test/nodes/{trigger,midCallToolTrigger}/{copies,hooks,lifecycle,ownershipModel,receive,storedSecrets}.test.mts',
		],
		least: 0,
	},
	'what a delivery or a tool call starts': {
		mutate: [
			'nodes/VoiceAssistantCallingTrigger/{deliveredCall,receive,repeatedDelivery}.ts',
			'nodes/shared/answers/{answerOnce,sameRequest}.ts',
			'nodes/shared/calls/isChosen.ts',
		],
		tests: [
			'test/nodes/trigger/{options,question,receive,repeatedDelivery}.test.mts',
			'test/nodes/midCallToolTrigger/{receive,sameRequest}.test.mts',
			'test/nodes/shared/{answers,calls}/*.test.mts',
		],
		least: 0,
	},
};
