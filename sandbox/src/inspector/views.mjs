import { account } from './views/account.mjs';
import { assistants } from './views/assistants.mjs';
import { calls } from './views/calls.mjs';
import { campaigns } from './views/campaigns.mjs';
import { faults } from './views/faults.mjs';
import { leads } from './views/leads.mjs';
import { messages } from './views/messages.mjs';
import { requestLog } from './views/requestLog.mjs';
import { snapshots } from './views/snapshots.mjs';
import { timeline } from './views/timeline.mjs';
import { toolRequests } from './views/toolRequests.mjs';
import { tools } from './views/tools.mjs';
import { webhooks } from './views/webhooks.mjs';

/** The views by their names in the address. */
export const VIEWS = /** @type {{ [name: string]: View }} */ ({
	timeline,
	requests: requestLog,
	calls,
	leads,
	campaigns,
	webhooks,
	sms: messages,
	assistants,
	tools,
	'tool-requests': toolRequests,
	account,
	faults,
	snapshots,
});
