import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';

import { h } from 'vue';

import CallPicture from './CallPicture.vue';
import CopyStep from './CopyStep.vue';
import CopyWorkflow from './CopyWorkflow.vue';

/** VitePress's own theme, with the button of the gallery, and a picture of a call on the first page. */
export default {
	extends: DefaultTheme,
	Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(CallPicture) }),
	enhanceApp({ app }) {
		app.component('CopyStep', CopyStep);
		app.component('CopyWorkflow', CopyWorkflow);
	},
} satisfies Theme;
