import { drawnTime, isDrawn } from '../base/drawn.mts';
import type { Response } from '../base/apiError.mts';
import type { Weather } from '../weather/weather.mts';

/** What a balancer sends that has waited too long for the service. */
const TIMEOUT_PAGE = `<!doctype html>
<html>
	<head><title>408 Request Time-out</title></head>
	<body><h1>408 Request Time-out</h1><p>Your browser didn't send a complete request in time.</p></body>
</html>
`;

/** What the weather does to one request. */
export interface RequestEffects {
	/** How many real milliseconds it takes longer. */
	delay: number;
	/** Whether a gateway answers 408 if the service carries it out. */
	timesOut: boolean;
}

/** Draws what the weather does to each request, in the order in which they come. */
export class RequestWeather {
	readonly #weather: Weather;
	#reads = 0;
	#changes = 0;

	constructor(weather: Weather) {
		this.#weather = weather;
	}

	draw(method: string): RequestEffects {
		return method === 'GET' || method === 'HEAD' ? this.#read() : this.#change();
	}

	/** Begins again: the same requests get the same weather. */
	clear(): void {
		this.#reads = 0;
		this.#changes = 0;
	}

	#read(): RequestEffects {
		const { seed, assumptions } = this.#weather;
		const span = assumptions['read-time'];
		this.#reads += 1;
		return { delay: span ? drawnTime(span, seed, 'read-time', this.#reads) : 0, timesOut: false };
	}

	#change(): RequestEffects {
		const { seed, assumptions } = this.#weather;
		const { 'change-time': span, 'gateway-timeouts': timeouts } = assumptions;
		this.#changes += 1;
		const number = this.#changes;
		const isSlow = isDrawn(span?.slow?.one_in ?? null, seed, 'slow-change', number);
		const usual = span ? drawnTime(span, seed, 'change-time', number) : 0;
		return {
			delay: isSlow ? (span?.slow?.time ?? usual) : usual,
			timesOut: isDrawn(timeouts, seed, 'gateway-timeout', number),
		};
	}
}

/** The answer of a gateway in place of the service's own. */
export const gatewayTimeout = (): Response => ({
	status: 408,
	body: TIMEOUT_PAGE,
	headers: { 'content-type': 'text/html; charset=utf-8' },
});
