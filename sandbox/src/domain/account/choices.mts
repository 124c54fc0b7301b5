import type { Schemas } from '../../contract/schemas.mts';
import type { Handler } from '../context.mts';
import { isoLanguage } from './isoLanguage.mts';

/**
 * What an assistant can choose from, as bare lists (public-service.md: Voices, languages, models, providers,
 * numbers, S1, S2, S12a).
 */

interface VoiceQuery {
	mode?: Schemas['ModelMode'];
	language_id?: number;
}

/** GET /user/assistants/voices */
export const listVoices: Handler<undefined, VoiceQuery> = ({ baseUrl }, user, { query }) => {
	const { mode, language_id: language } = query;
	const voices = user.voices.filter(
		(voice) =>
			(mode === undefined || voice.modes.includes(mode)) &&
			(language === undefined || voice.language_id === language),
	);
	const body = voices.map(({ id, name, language_id, gender }): Schemas['Voice'] => ({
		id,
		name,
		language_id,
		gender,
		preview_url: new URL(`/recordings/voice-${id}.wav`, baseUrl).href,
		accent: null,
		age: null,
		synthesizer_provider_id: null,
	}));
	return { status: 200, body };
};

/** GET /user/assistants/languages */
export const listLanguages: Handler = (_context, user) => {
	const body = user.languages.map((name, index): Schemas['Language'] => ({
		id: index + 1,
		name,
		iso_2: isoLanguage(name),
	}));
	return { status: 200, body };
};

interface ModelQuery {
	type: 'llm' | 'multimodal' | 'dualplex';
}

/** GET /user/assistants/models */
export const listModels: Handler<undefined, ModelQuery> = ({ assumptions }, _user, { query }) => {
	const models = assumptions['available-models'].filter(({ type }) => type === query.type);
	const body = models.map(({ id, name, type }): Schemas['Model'] => ({
		id,
		name,
		...(type !== 'llm' && { code: name.toLowerCase().replaceAll(' ', '-') }),
	}));
	return { status: 200, body };
};
