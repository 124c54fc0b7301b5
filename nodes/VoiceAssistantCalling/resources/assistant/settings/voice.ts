import type { Field } from '../../../fields/routing';
import { numberSetting, switchSetting } from './setting';

export const voice: Field = {
	displayName: 'Voice and Sound',
	name: 'voice',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How the assistant sounds, and what is heard around it',
	options: [
		{
			displayName: 'Ambient Sound',
			name: 'ambientSound',
			type: 'options',
			default: 'off',
			description: 'What is heard in the background. Some providers do not have it.',
			// public-service: Assistant: fields of create and update (S1, S2).
			options: [
				{ name: 'Cafe', value: 'cafe' },
				{ name: 'City', value: 'city' },
				{ name: 'Crowded Room', value: 'crowded_room' },
				{ name: 'Forest', value: 'forest' },
				{ name: 'Nature', value: 'nature' },
				{ name: 'Off', value: 'off' },
				{ name: 'Office', value: 'office' },
			],
			routing: { send: { type: 'body', property: 'ambient_sound' } },
		},
		numberSetting('ambient_sound_volume', {
			displayName: 'Ambient Sound Volume',
			name: 'ambientSoundVolume',
			hint: 'Higher: louder',
			description: 'Loudness of the background sound',
		}),
		switchSetting('noise_cancellation', {
			displayName: 'Noise Cancellation',
			name: 'noiseCancellation',
			description: "Whether noise on the person's side is filtered out",
		}),
		numberSetting('speech_speed', {
			displayName: 'Speech Speed',
			name: 'speechSpeed',
			hint: 'Higher: faster',
			description: 'Pace of the voice',
		}),
		numberSetting('voice_similarity', {
			displayName: 'Voice Similarity',
			name: 'voiceSimilarity',
			hint: 'Higher: closer to the original',
			description: 'How close the voice is to the original',
		}),
		numberSetting('voice_stability', {
			displayName: 'Voice Stability',
			name: 'voiceStability',
			hint: 'Higher: more evenly',
			description: 'How evenly the voice speaks',
		}),
	],
};
