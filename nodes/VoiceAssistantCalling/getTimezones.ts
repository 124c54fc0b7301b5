import type { INodePropertyOptions } from 'n8n-workflow';

/** Lists the time zones that the runtime knows, in the form Area/City (contract: timezone). */
export const getTimezones = (): Promise<INodePropertyOptions[]> =>
	Promise.resolve(Intl.supportedValuesOf('timeZone').map((zone) => ({ name: zone, value: zone })));
