import { differs, otherForm, type Check, type Finding } from '../check.mts';
import type { Response } from '../client.mts';
import { errorFields, isObject, safeNames } from '../describe.mts';
import { observation, type Run } from '../run.mts';
import { recordsByKind } from '../read/records.mts';
import { requireNoFailure } from '../requireNoFailure.mts';
import { Stop } from '../stop.mts';
import { IMPOSSIBLE_ID } from './impossible.mts';

/** The refusal of a request. */
export interface Refused {
	status: number;
	body: unknown;
	/** The message, if it has one. */
	message: string | undefined;
	/** The fields that it names. */
	fields: string[];
	/** Whether it is a validation error, with the status that this service has for them. */
	isValidation: boolean;
}

/** Guards the one ID that is sent: a service that has such a record must not get a write. */
const requireUnusedId = observation(async (run) => {
	const records = Object.values(await recordsByKind(run)).flat();
	if (records.every(({ id }) => Number(id) !== IMPOSSIBLE_ID)) return;
	throw new Stop(`The account has a record with the ID ${IMPOSSIBLE_ID}. No write was sent.`);
});

/**
 * A write that the service has to refuse for at least two independent reasons. Checks share it; it is
 * sent once.
 *
 * @throws (when called) {@link Stop} if the service accepts it
 */
export const refusal = (
	method: string,
	path: string,
	body: unknown,
	options: Parameters<Run['client']['refused']>[3] = {},
) =>
	observation(async (run): Promise<Refused> => {
		await requireUnusedId(run);
		return readRefusal(await run.client.refused(method, path, body, options));
	});

function readRefusal({ status, body }: Response): Refused {
	const message = isObject(body) ? body['message'] : undefined;
	const fields = errorFields(body);
	return {
		status,
		body,
		message: typeof message === 'string' ? message : undefined,
		fields: fields ?? [],
		isValidation: (status === 422 || status === 400) && fields !== undefined,
	};
}

/** A refusal in words: its status, and the fields that it names. */
export const inShort = ({ status, fields }: Refused): string =>
	`status ${status}, ${fields.length > 0 ? `errors of ${safeNames(fields)}` : 'no `errors`'}`;

type RefusedWrite = ReturnType<typeof refusal>;

/** A check that needs the refusals of some requests. */
export const refusedCheck = (
	key: string,
	expected: string,
	refusals: RefusedWrite[],
	look: (expected: string, ...refused: Refused[]) => Finding,
): Check => ({
	key,
	level: 'refused',
	async run(run) {
		const refused: Refused[] = [];
		for (const send of refusals) refused.push(await send(run));
		refused.forEach(requireNoFailure);
		return look(expected, ...refused);
	},
});

/** The service refused in another way. */
export const refusedOtherwise = (expected: string, refused: Refused, advice?: string): Finding =>
	differs(expected, inShort(refused), advice === undefined ? {} : { advice });

/** The service refused in another way, and the nodes never send such a request. */
export const otherRefusal = (expected: string, refused: Refused, advice: string): Finding =>
	otherForm(expected, inShort(refused), { advice });
