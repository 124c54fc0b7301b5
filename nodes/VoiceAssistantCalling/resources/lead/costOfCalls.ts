import type { GetCost } from '../operation';

/** What leads cost that a campaign may call. @param calls how many leads it may call because of a request */
export function costOfCalls(calls: number): ReturnType<GetCost> {
	if (calls === 0) return { cost: 'nothing' };
	return { cost: `${calls === 1 ? 'a call' : `${calls} calls`} if running` };
}
