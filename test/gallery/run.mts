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

/** The examples, from their starts to what arrives at the service. */
await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const environment = await checks.require('a new n8n starts', async () => {
		return await startGalleryEnvironment(checks);
	});
	await callMeNowForm(checks, environment);
	await callAListFromATable(checks, environment);
	await takeInLeadsWithConsent(checks, environment);
	await remindOfAppointments(checks, environment);
	await remindOfPayments(checks, environment);
	await callAgainThenSms(checks, environment);
	await smsAfterAMissedCall(checks, environment);
	await stopCallingWhoOptsOut(checks, environment);
	await scoreCallsAndBranch(checks, environment);
	await surveyAnswersInATable(checks, environment);
	await costsPerCampaignAndDay(checks, environment);
	await askByPhoneAndContinue(checks, environment);
	await bookAppointmentsDuringACall(checks, environment);
	await tellTheOrderStatusDuringACall(checks, environment);
	await chatAgentAsksBeforeCalls(checks, environment);
	// Last, because it stops n8n for a while.
	await keepEveryCallInATable(checks, environment);
});
