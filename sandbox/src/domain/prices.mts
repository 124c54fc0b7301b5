import type { Assumptions } from '../contract/assumptions.mts';

/** What a carrier takes per started minute of a call, and what the service takes in all. */
const CARRIER_MINUTE_PRICE = 0.02;
const TOTAL_MINUTE_PRICE = 0.15;

/** Amounts are kept to four decimals, so that sums do not show binary fractions. */
export const money = (amount: number): number => Math.round(amount * 10_000) / 10_000;

/** The price for an E.164 number: that of the longest country code it begins with. */
export function priceFor(e164: string, prices: Assumptions['sms-price']): number {
	const codes = Object.keys(prices).filter((code) => e164.startsWith(`+${code}`));
	const [longest = 'default'] = codes.sort((one, other) => other.length - one.length);
	return prices[longest] ?? prices.default;
}

/** Costs of a call of so many seconds, per started minute. */
export function callCosts(seconds: number): { carrier_cost: number; total_cost: number } {
	const minutes = Math.ceil(seconds / 60);
	return {
		carrier_cost: money(minutes * CARRIER_MINUTE_PRICE),
		total_cost: money(minutes * TOTAL_MINUTE_PRICE),
	};
}
