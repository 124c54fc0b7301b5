import type { components } from '../../../contract/generated/service.d.ts';

/** The schemas of contract/openapi.yaml. */
export type Schemas = components['schemas'];
