import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';

import CopyWorkflow from './CopyWorkflow.vue';

/** VitePress's own theme, with the button of the gallery. */
export default {
	extends: DefaultTheme,
	enhanceApp({ app }) {
		app.component('CopyWorkflow', CopyWorkflow);
	},
} satisfies Theme;
