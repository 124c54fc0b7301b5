import type { Schemas } from '../../contract/schemas.mts';
import type { Handler } from '../context.mts';
import { preciseTime } from '../times.mts';
import { assistantRecord } from './record.mts';

interface OutboundAssistant extends Omit<Schemas['OutboundAssistant'], 'mode'> {
	mode: Schemas['ModelMode'];
}

/** GET /user/assistants: a bare list (public-service.md: GET /user/assistants/get, S4a). */
export const listAllAssistants: Handler = (context, user) => ({
	status: 200,
	body: context.state.assistants
		.select([['user_id', 'is', user.id]])
		.map((assistant) => assistantRecord(context, assistant)),
});

/** GET /user/assistants/outbound: a bare list (public-service.md: GET /user/assistants/get, S1, S2, S12a). */
export const listOutboundAssistants: Handler = ({ state }, user) => ({
	status: 200,
	body: state.assistants
		.select([['user_id', 'is', user.id]])
		.filter(({ settings }) => settings.calls_direction === 'make')
		.map(({ settings, ...assistant }): OutboundAssistant => ({
			id: assistant.id,
			user_id: assistant.user_id,
			name: settings.assistant_name,
			type: 'outbound',
			mode: settings.engine_type,
			status: assistant.status,
			voice_id: settings.voice_id,
			language_id: user.languages.indexOf(settings.language) + 1 || null,
			timezone: settings.timezone,
			initial_message: settings.initial_message,
			system_prompt: settings.system_prompt,
			variables: settings.variables,
			webhook_url: settings.webhook_url,
			is_webhook_active: settings.is_webhook_active,
			created_at: preciseTime(assistant.created_at),
			updated_at: preciseTime(assistant.updated_at),
		})),
});
