/** The environment variable that has the API token. */
export const TOKEN_VARIABLE = 'VOICE_ASSISTANT_CALLING_TOKEN';
