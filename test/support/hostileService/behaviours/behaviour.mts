import type { Handler } from '../hostileServer.mts';

/** One way to be hostile. */
export interface Behaviour {
	name: string;
	handler: Handler;
	/** It says for sure that nothing was done (429), so a write may be sent again. */
	refusesForSure?: boolean;
	/** The pages of a list have no end. */
	isEndlessList?: boolean;
	/** It takes long, so only the typical subjects meet it. */
	isHeavy?: boolean;
}
