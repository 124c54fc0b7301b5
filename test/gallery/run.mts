import { parseArgs } from 'node:util';

import { runChecks } from '../support/checks.mts';
import { chosenParts } from '../support/chosenParts.mts';
import { requireN8n } from '../support/requireN8n.mts';
import { addLeadAndStartCampaign } from './addLeadAndStartCampaign.mts';
import { askBeforeACampaignStarts } from './askBeforeACampaignStarts.mts';
import { askByPhoneAndContinue } from './askByPhoneAndContinue.mts';
import { bookAppointmentsDuringACall } from './bookAppointmentsDuringACall.mts';
import { callAgainThenSms } from './callAgainThenSms.mts';
import { callAListFromATable } from './callAListFromATable.mts';
import { callMeNowForm } from './callMeNowForm.mts';
import { chatAgentAsksBeforeCalls } from './chatAgentAsksBeforeCalls.mts';
import { costsPerCampaignAndDay } from './costsPerCampaignAndDay.mts';
import { startGallery } from './gallery.mts';
import { knowWhoIsCalling } from './knowWhoIsCalling.mts';
import { leadsForManyClients } from './leadsForManyClients.mts';
import { neverMissACall } from './neverMissACall.mts';
import { remindOfAppointments } from './remindOfAppointments.mts';
import { severalWorkflowsAfterOneCall } from './severalWorkflowsAfterOneCall.mts';
import { stopCallingWhoOptsOut } from './stopCallingWhoOptsOut.mts';
import { takeInLeadsWithConsent } from './takeInLeadsWithConsent.mts';
import { tellTheOrderStatusDuringACall } from './tellTheOrderStatusDuringACall.mts';
import { thankBySmsWhenCallCompletes } from './thankBySmsWhenCallCompletes.mts';
import { useAssistantsFromAnMcpClient } from './useAssistantsFromAnMcpClient.mts';

/** In this order. The last one stops n8n for a while. */
const EXAMPLES = {
	addLeadAndStartCampaign,
	thankBySmsWhenCallCompletes,
	askBeforeACampaignStarts,
	neverMissACall,
	callMeNowForm,
	callAListFromATable,
	takeInLeadsWithConsent,
	leadsForManyClients,
	remindOfAppointments,
	callAgainThenSms,
	stopCallingWhoOptsOut,
	severalWorkflowsAfterOneCall,
	costsPerCampaignAndDay,
	askByPhoneAndContinue,
	bookAppointmentsDuringACall,
	tellTheOrderStatusDuringACall,
	knowWhoIsCalling,
	chatAgentAsksBeforeCalls,
	useAssistantsFromAnMcpClient,
};

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: {
		large: { type: 'boolean', default: false },
		service: { type: 'string' },
	},
});
/** --service current: at the service as it is documented today, and not the contract's. */
const preset = values.service === 'current' ? 'current' : undefined;
const runChosen = chosenParts(positionals, EXAMPLES);

/** The examples, from their starts to what arrives at the service. */
await runChecks(async (checks) => {
	await requireN8n(checks, 'current');
	const gallery = await checks.require('a new n8n starts', async () => {
		return await startGallery(checks, { isLarge: values.large, preset });
	});
	await runChosen(EXAMPLES, gallery);
});
