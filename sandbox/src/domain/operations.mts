import { operations as accountOperations } from './account/operations.mts';
import { operations as assistantOperations } from './assistant/operations.mts';
import { operations as callOperations } from './call/operations.mts';
import { operations as campaignOperations } from './campaign/operations.mts';
import type { Handler } from './context.mts';
import { operations as leadOperations } from './lead/operations.mts';
import { operations as midCallToolOperations } from './midCallTool/operations.mts';
import { operations as smsOperations } from './sms/operations.mts';

/** A handler for a request that fits the contract. `never` stands for each handler's own types. */
type CheckedHandler = Handler<never, never>;

export const operations: { [operationId: string]: CheckedHandler } = {
	...accountOperations,
	...assistantOperations,
	...callOperations,
	...campaignOperations,
	...leadOperations,
	...midCallToolOperations,
	...smsOperations,
};
