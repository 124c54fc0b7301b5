import type { Target } from '../../verify/run.mts';

/** What was entered for the levels that change something, and what is wrong with it. */
export interface TargetOptions {
	target: Omit<Target, 'baseUrl'>;
	faults: string[];
}

/** The values of the command line, by option. */
interface Values {
	[option: string]: unknown;
}

const MAX_PORT = 65_535;

/** Reads the options of the levels `reversible` and `call`. */
export function readTarget(values: Values): TargetOptions {
	const faults: string[] = [];
	/** A value that was given, as `read` understands it. */
	function option<Value>(
		name: string,
		wanted: string,
		read: (text: string) => Value | undefined,
	): Value | undefined {
		const text = values[name];
		if (typeof text !== 'string') return undefined;
		const value = read(text.trim());
		if (value === undefined) faults.push(`--${name} takes ${wanted}, not "${text}".`);
		return value;
	}
	const assistantId = option('assistant', 'the ID of an assistant', wholeNumber());
	const campaignId = option('campaign', 'the ID of a campaign', wholeNumber());
	const phoneNumber = option('call', 'a number such as +4915112345678', readPhoneNumber);
	const receiverUrl = option('receiver-url', 'an address such as https://abc.example', readUrl);
	const receiverPort = option('receiver-port', 'a port', wholeNumber(MAX_PORT));
	const target = {
		...(assistantId !== undefined && { assistantId }),
		...(campaignId !== undefined && { campaignId }),
		...(phoneNumber !== undefined && { phoneNumber }),
		...(receiverUrl !== undefined && { receiverUrl }),
		...(receiverPort !== undefined && { receiverPort }),
	};
	if (faults.length === 0) faults.push(...missing(values, target));
	return { target, faults };
}

/** What a level needs and was not given. */
function missing(values: Values, target: TargetOptions['target']): string[] {
	const { assistantId, campaignId, phoneNumber, receiverUrl } = target;
	const isCall = phoneNumber !== undefined;
	if (isCall && (assistantId === undefined || campaignId === undefined || !receiverUrl)) {
		return ['--call needs --assistant ID, --campaign ID and --receiver-url URL.'];
	}
	if (values['reversible'] === true && assistantId === undefined && campaignId === undefined) {
		return ['--reversible needs --assistant ID or --campaign ID, better both.'];
	}
	return [];
}

const wholeNumber =
	(max = Number.MAX_SAFE_INTEGER) =>
	(text: string): number | undefined => {
		const value = /^\d+$/.test(text) ? Number(text) : 0;
		return value >= 1 && value <= max ? value : undefined;
	};

function readPhoneNumber(text: string): string | undefined {
	const number = text.replaceAll(/[ ()/.-]/g, '');
	return /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined;
}

function readUrl(text: string): string | undefined {
	const { protocol, search, hash, href } = URL.canParse(text) ? new URL(text) : new URL('invalid:');
	return /^https?:$/.test(protocol) && search + hash === '' ? href : undefined;
}
