/** The part of a test URL that differs, with n8n's default settings (n8n 2.0, 2.41). */
const TEST_SEGMENT = '/webhook-test/';
const PRODUCTION_SEGMENT = '/webhook/';

/**
 * The production URL of a trigger that is listening for a test event.
 *
 * @param webhookUrl in the present mode
 * @returns undefined for a production URL, and when n8n's path for tests was changed: the next publish
 * registers the production URL in any case
 */
export const productionUrl = (webhookUrl: string): string | undefined =>
	webhookUrl.includes(TEST_SEGMENT)
		? webhookUrl.replace(TEST_SEGMENT, PRODUCTION_SEGMENT)
		: undefined;
