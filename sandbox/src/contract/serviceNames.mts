/**
 * `contract`: the service as the contract describes it. `current`: as newer public documents do; see
 * presets/current.yaml.
 */
export const SERVICES = ['contract', 'current'] as const;
export type ServiceName = (typeof SERVICES)[number];
