import { InvalidInput } from '../../shared/client/errors';
import type { Field, OperationRequest } from '../fields/routing';
import { assistant } from './assistant';
import { call } from './call';
import { campaign } from './campaign';
import { lead } from './lead';
import { midCallTool } from './midCallTool';
import { requestOptions } from './requestOptions';
import type {
	ExecuteInN8n,
	HandleResponse,
	HintAfterRun,
	OneOfList,
	Resource,
	ToFile,
	ToOutput,
} from './resource';
import { showFor } from './showFor';
import { sms } from './sms';

const resources: Record<string, Resource> = { assistant, call, campaign, lead, midCallTool, sms };

/** The parts of an operation that the runner needs. */
export interface Operation {
	request: OperationRequest;
	/** In the order of the screen. */
	fields: Field[];
	oneOfList?: OneOfList;
	toOutput?: ToOutput;
	toFile?: ToFile;
	handleResponse?: HandleResponse;
	hintAfterRun?: HintAfterRun;
}

/**
 * Finds an operation by the values of *Resource* and *Operation*.
 *
 * @throws {InvalidInput} when there is none, because an expression can give any value
 */
export function operationOf(resource: unknown, operation: unknown): Operation {
	const found = Object.entries(resources).find(([name]) => name === resource)?.[1];
	const option = found?.operation.options.find(({ value }) => value === operation);
	const fields = found?.fields[String(operation)];
	if (found && option?.routing && fields) {
		const name = String(operation);
		return {
			request: option.routing.request,
			fields,
			oneOfList: found.oneOfList?.[name],
			toOutput: found.toOutput?.[name],
			toFile: found.toFile?.[name],
			handleResponse: found.handleResponse?.[name],
			hintAfterRun: found.hintsAfterRun?.[name],
		};
	}
	throw new InvalidInput({
		message: "'Resource' and 'Operation' do not name an operation of this node",
		nextStep: 'Choose both from their lists. Nothing was sent for this item.',
	});
}

/** The function of an operation that sends nothing to the service; undefined for all others. */
export function executeInN8n(resource: string, operation: string): ExecuteInN8n | undefined {
	const found = Object.entries(resources).find(([name]) => name === resource)?.[1];
	// An expression can give any value, also the name of an inherited property.
	return Object.entries(found?.inN8n ?? {}).find(([name]) => name === operation)?.[1];
}

/** The operations of all resources, and their fields, each shown only for its operation. */
export const operationsAndFields: Field[] = [
	...Object.entries(resources).flatMap(([resource, { operation, fields }]) => [
		operation as Field,
		...Object.entries(fields).flatMap(([name, list]) => showFor(resource, name, list)),
	]),
	requestOptions,
];
