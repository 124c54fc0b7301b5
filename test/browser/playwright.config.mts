import { defineConfig } from '@playwright/test';

import { browserSuite } from '../support/browserOptions.mts';

/** n8n's editor as a new user operates it. All tests share one n8n. */
export default defineConfig(browserSuite('browser'), {
	workers: 1,
	use: {
		testIdAttribute: 'data-test-id',
		// Wide enough for the three panes of a node's dialog.
		viewport: { width: 1360, height: 850 },
	},
});
