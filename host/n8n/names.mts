/** What n8n calls the package, and what is in it. */
export const PACKAGE = 'n8n-nodes-voice-assistant-calling';
export const ACTION = `${PACKAGE}.voiceAssistantCalling`;
export const TRIGGER = `${PACKAGE}.voiceAssistantCallingTrigger`;
export const POLL_TRIGGER = `${PACKAGE}.voiceAssistantCallingPollTrigger`;
export const MID_CALL_TOOL_TRIGGER = `${PACKAGE}.voiceAssistantCallingMidCallToolTrigger`;
export const CREDENTIAL_TYPE = 'voiceAssistantCallingApi';
