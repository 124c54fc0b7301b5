/** What the service says when it fails at an operation (contract: Errors; assumptions: sms-errors). */
const FAILURE_MESSAGES: { [operationId: string]: string } = {
	createAssistant: 'Assistant creation failed',
	updateAssistant: 'Assistant update failed',
	sendSms: 'Failed to send SMS',
};

/** The message of a 500 at an operation. */
export const failureMessage = (operationId: string | null): string =>
	FAILURE_MESSAGES[operationId ?? ''] ?? 'Server Error';
