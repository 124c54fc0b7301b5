import type { TriggerPanelDefinition } from 'n8n-workflow';

const EXECUTIONS = '<a data-key="executions">executions list</a>';

const PIN =
	'pin sample parameters as the output of this trigger, such as [{"parameters": {"day": "Monday"}}]';

/** The help beside the trigger's fields. n8n 2.0 and 2.41 show it as HTML, and know the link. */
export const toolTriggerPanel: TriggerPanelDefinition = {
	header: 'Answer an assistant during a call',
	executionsHelp: {
		inactive: `<b>While you build the workflow</b>, ${PIN}. Listening for a test event needs an existing tool.<br /><br /><b>When the workflow is finished</b>, publish it. Then each call of the tool starts an execution. You find it in the ${EXECUTIONS}, not here.`,
		active: `<b>This workflow is published.</b> Each call of the tool starts an execution. You find it in the ${EXECUTIONS}, not here.<br /><br /><b>To change the workflow</b>, ${PIN}. Listening for a test event would disconnect the published workflow, so it is refused.`,
	},
	activationHint: {
		inactive:
			"Publish the workflow to create the tool and give it to the assistants. The node 'Call → Respond' gives the answer.",
		active:
			'Assistants use this workflow in their calls too, but those executions are not shown here.',
	},
};
