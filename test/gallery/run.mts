import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { askByPhoneAndContinue } from './askByPhoneAndContinue.mts';
import { bookAppointmentsDuringACall } from './bookAppointmentsDuringACall.mts';
import { callAgainThenSms } from './callAgainThenSms.mts';
import { callAListFromATable } from './callAListFromATable.mts';
import { callMeNowForm } from './callMeNowForm.mts';
import { chatAgentAsksBeforeCalls } from './chatAgentAsksBeforeCalls.mts';
import { costsPerCampaignAndDay } from './costsPerCampaignAndDay.mts';
import { startGalleryEnvironment } from './environment.mts';
import { keepEveryCallInATable } from './keepEveryCallInATable.mts';
import { remindOfAppointments } from './remindOfAppointments.mts';
import { remindOfPayments } from './remindOfPayments.mts';
import { scoreCallsAndBranch } from './scoreCallsAndBranch.mts';
import { smsAfterAMissedCall } from './smsAfterAMissedCall.mts';
import { stopCallingWhoOptsOut } from './stopCallingWhoOptsOut.mts';
import { surveyAnswersInATable } from './surveyAnswersInATable.mts';
import { takeInLeadsWithConsent } from './takeInLeadsWithConsent.mts';
import { tellTheOrderStatusDuringACall } from './tellTheOrderStatusDuringACall.mts';

/** In this order. The last one stops n8n for a while. */
const EXAMPLES = {
	callMeNowForm,
	callAListFromATable,
	takeInLeadsWithConsent,
	remindOfAppointments,
	remindOfPayments,
	callAgainThenSms,
	smsAfterAMissedCall,
	stopCallingWhoOptsOut,
	scoreCallsAndBranch,
	surveyAnswersInATable,
	costsPerCampaignAndDay,
	askByPhoneAndContinue,
	bookAppointmentsDuringACall,
	tellTheOrderStatusDuringACall,
	chatAgentAsksBeforeCalls,
	keepEveryCallInATable,
};

/** Parts of names choose some of the examples. */
const { positionals: parts } = parseArgs({ allowPositionals: true });
const chosen = Object.entries(EXAMPLES).filter(
	([name]) => parts.length === 0 || parts.some((part) => name.includes(part)),
);
if (chosen.length === 0) {
	throw new Error(`No example has such a name. There are: ${Object.keys(EXAMPLES).join(', ')}`);
}

/** The examples, from their starts to what arrives at the service. */
await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const environment = await checks.require('a new n8n starts', async () => {
		return await startGalleryEnvironment(checks);
	});
	for (const [, run] of chosen) await run(checks, environment);
});
