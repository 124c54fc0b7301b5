import { defineConfig } from '@playwright/test';

import { browserSuite } from '../../../test/support/browserOptions.mts';
import { SCREENS } from './inspectorPage.mts';

/** The inspector of the sandbox, in a browser. */
export default defineConfig(browserSuite('inspector'), {
	use: { viewport: SCREENS.desktop, permissions: ['clipboard-read', 'clipboard-write'] },
});
