import type { INodePropertyOptions } from 'n8n-workflow';

/** Lists the time zones that the runtime knows, in the form Area/City (contract: timezone). */
const getTimezones = (): Promise<INodePropertyOptions[]> =>
	Promise.resolve(Intl.supportedValuesOf('timeZone').map((zone) => ({ name: zone, value: zone })));

/** Fills the lists of options. */
export const loadOptions = { getTimezones };
