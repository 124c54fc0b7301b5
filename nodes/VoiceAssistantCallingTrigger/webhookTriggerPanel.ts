import type { TriggerPanelDefinition } from 'n8n-workflow';

const EXECUTIONS = '<a data-key="executions">executions list</a>';

const INBOUND =
	"<b>Inbound calls</b>: many providers ask at the inbound webhook before they answer. Use 'Inbound Call Starting' for this question, and 'Call Completed' with the filter Direction inbound for calls that are over. 'Inbound Call Completed' is for providers that report finished calls there.";

const PIN = "get a call with 'Call → Get Many' and pin it as the output of this trigger";

/** The help beside the trigger's fields. n8n 2.0 and 2.41 show it as HTML, and know the link. */
export const webhookTriggerPanel: TriggerPanelDefinition = {
	header: 'Start the workflow with calls of an assistant',
	executionsHelp: {
		inactive: `<b>While you build the workflow</b>, listen for a test event and let the assistant have a call. The next call that completes is the output. Without a call, ${PIN}.<br /><br /><b>When the workflow is finished</b>, publish it. Then each call starts an execution. You find it in the ${EXECUTIONS}, not here.<br /><br />${INBOUND}`,
		active: `<b>This workflow is published.</b> Each call starts an execution. You find it in the ${EXECUTIONS}, not here.<br /><br /><b>To change the workflow</b>, ${PIN}. Listening for a test event would disconnect the published workflow, so it is refused. It works again when the workflow is unpublished.`,
	},
	activationHint: {
		inactive:
			'Publish the workflow to receive every call. The service must be able to reach this n8n: set WEBHOOK_URL to its public https address first.',
		active:
			'This workflow also starts with each call that completes, but those executions are not shown here.',
	},
};
