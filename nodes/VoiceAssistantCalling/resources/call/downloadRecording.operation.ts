import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../shared/client/errors';
import { recordShapes } from '../../../shared/records/recordShapes';
import { toIsoTime } from '../../../shared/records/timestamps';
import { asText, isRecord } from '../../../shared/values/json';
import type { Operation, ToFile } from '../operation';
import { callOutput } from './callOutput';
import { fromDate, toDate } from './fields';
import { callField, oneCall, oneCallRequest } from './oneCall';

const DEFAULT_MAX_MEGABYTES = 100;
const DEFAULT_TIME_LIMIT_SECONDS = 300;

/**
 * A call whose times are as near to now may have just ended: they name no zone (contract: Call), and a zone is
 * up to 14 hours from UTC.
 */
const JUST_ENDED_MS = 15 * 3_600_000;

/** Whether a call may have just ended, so that its recording is still on its way. */
const mayHaveJustEnded = ({ created_at: createdAt, updated_at: updatedAt }: IDataObject): boolean =>
	[createdAt, updatedAt].some(
		(time) => Math.abs(Date.now() - Date.parse(asText(toIsoTime(time)))) < JUST_ENDED_MS,
	);

/** Tells where the recording of a call is, and how to download it. */
const toFile: ToFile = (call, values, { baseUrl }) => {
	const { id, recording_url: url } = call;
	if (asText(url) === '') {
		throw new ServiceError({
			message: 'The call has no recording',
			nextStep:
				"A call has one if it is over, somebody answered, and the assistant's setting Record Call is on. It can come some minutes after the end of the call: try again then, or put a Wait node before this one.",
		});
	}
	const options = isRecord(values.options) ? values.options : {};
	return {
		url: asText(url),
		baseUrl,
		name: `call-${asText(id)}`,
		outputField: asText(values.binaryPropertyName),
		maxBytes: Number(options.maxFileSize || DEFAULT_MAX_MEGABYTES) * 1_000_000,
		timeLimitMs: Number(options.timeLimit || DEFAULT_TIME_LIMIT_SECONDS) * 1000,
		mayComeLate: mayHaveJustEnded(call),
	};
};

export const downloadRecording: Operation = {
	name: 'Download Recording',
	action: 'Download recording of call',
	description:
		'Download the recording of a call as a file. Where a call is missing, the list of calls is read.',
	// An agent cannot listen to a file.
	displayOptions: { hide: { '@tool': [true] } },
	request: oneCallRequest,
	notInContract: { notFound: oneCall.notFound },
	record: recordShapes.call,
	fields: [
		callField,
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the output binary field to put the file in',
			description:
				'The file is kept on the disk of n8n, or in its database in queue mode. If n8n is set to keep files in memory, download few recordings in one run.',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			description: 'Limits, and the days in which the call is looked for, where a list is read',
			options: [
				fromDate,
				{
					displayName: 'Max File Size (MB)',
					name: 'maxFileSize',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
					default: DEFAULT_MAX_MEGABYTES,
					description: 'The largest recording to download, from 1 to 1000 megabytes',
				},
				{
					displayName: 'Time Limit (Seconds)',
					name: 'timeLimit',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 0 },
					default: DEFAULT_TIME_LIMIT_SECONDS,
					description:
						'How long the download of a recording may take, with the wait for one that is not ready yet, from 1 to 3600 seconds',
				},
				toDate,
			],
		},
	],
	oneOfList: oneCall,
	toFile,
	output: callOutput,
};
