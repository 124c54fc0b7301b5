import type { Behaviour } from './behaviour.mts';
import { bodies } from './bodies.mts';
import { clocks } from './clocks.mts';
import { connections } from './connections.mts';
import { floods } from './floods.mts';
import { lists } from './lists.mts';
import { rateLimits } from './rateLimits.mts';
import { redirects } from './redirects.mts';
import { repeatedToken } from './repeatedToken.mts';
import { slow } from './slow.mts';

/** Everything that a hostile service does. */
export const BEHAVIOURS: Behaviour[] = [
	...slow,
	...floods,
	...lists,
	...bodies,
	...repeatedToken,
	...redirects,
	...clocks,
	...connections,
	...rateLimits,
];
