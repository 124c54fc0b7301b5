import type { components } from '../../../contract/generated/service.d.ts';

export type Schemas = components['schemas'];
