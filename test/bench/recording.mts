/** About half a minute of speech. */
const RECORDING_BYTES = 200_000;

/** The size of a call's recording. Each call has another one, so that no file passes for another. */
export const recordingBytes = (callId: number): number => RECORDING_BYTES + callId;

/** A recording, of silence. */
export const recording = (callId: number): Buffer => Buffer.alloc(recordingBytes(callId));
