/** Starts the workflow with the body of a request, and looks at nothing else. */
class MinimalTrigger {
	description = {
		displayName: 'Minimal Trigger',
		name: 'minimalTrigger',
		group: ['trigger'],
		version: [2],
		description: 'Starts the workflow when it is called',
		defaults: { name: 'Minimal Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: 'noData',
			},
		],
		properties: [],
	};

	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}

module.exports = { MinimalTrigger };
