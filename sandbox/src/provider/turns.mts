interface Turn {
	text: string;
	type: 'transcript' | 'function' | 'function_result';
	sender: 'bot' | 'human' | 'system';
	/** Seconds since 1970, with a fraction. */
	timestamp: number;
}

const SPOKEN = /^(Assistant|Customer): (.*)$/;
const TOOL_CALL = /^Assistant calls the tool /;

/**
 * A transcript as a list of turns (public-service.md, "Call record": S1, S9).
 *
 * @param transcript with a line for each turn
 * @param duration of the call, in seconds; the turns are spread over it
 * @param end of the call, in milliseconds since 1970
 */
export function turns(transcript: string, duration: number, end: number): Turn[] {
	const lines = transcript.split('\n').filter((line) => line !== '');
	return lines.map((line, index) => {
		const [, speaker, text = line] = SPOKEN.exec(line) ?? [];
		const elapsed = (duration * index) / lines.length;
		const timestamp = Math.round((end / 1000 - duration + elapsed) * 100) / 100;
		if (speaker === undefined) {
			const type = TOOL_CALL.test(line) ? 'function' : 'function_result';
			return { text, type, sender: 'system', timestamp };
		}
		return {
			text,
			type: 'transcript',
			sender: speaker === 'Customer' ? 'human' : 'bot',
			timestamp,
		};
	});
}
