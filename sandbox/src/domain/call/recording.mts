/** Where the sandbox serves the recording of a call. Its own address can change, so calls keep the path. */
export const recordingPath = (callId: number): string => `/recordings/call-${callId}.wav`;

/** The URL of a recording: a path becomes one of the sandbox, and a seed can name a URL elsewhere. */
export const recordingUrl = (stored: string, baseUrl: string): string =>
	new URL(stored, baseUrl).href;

const SAMPLES_PER_SECOND = 8000;
const TONE_HERTZ = 440;
const HEADER_BYTES = 44;

/** A second of a tone as a WAV file: one channel, 8 bits for each sample. */
export function recording(): Buffer {
	const file = Buffer.alloc(HEADER_BYTES + SAMPLES_PER_SECOND);
	file.write('RIFF', 0);
	file.writeUInt32LE(file.length - 8, 4);
	file.write('WAVEfmt ', 8);
	file.writeUInt32LE(16, 16);
	file.writeUInt16LE(1, 20);
	file.writeUInt16LE(1, 22);
	file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
	file.writeUInt32LE(SAMPLES_PER_SECOND, 28);
	file.writeUInt16LE(1, 32);
	file.writeUInt16LE(8, 34);
	file.write('data', 36);
	file.writeUInt32LE(SAMPLES_PER_SECOND, 40);
	for (let sample = 0; sample < SAMPLES_PER_SECOND; sample++) {
		const angle = (2 * Math.PI * TONE_HERTZ * sample) / SAMPLES_PER_SECOND;
		file.writeUInt8(Math.round(128 + 64 * Math.sin(angle)), HEADER_BYTES + sample);
	}
	return file;
}
