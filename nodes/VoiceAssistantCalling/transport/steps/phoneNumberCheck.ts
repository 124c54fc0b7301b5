import type { IExecuteFunctions } from 'n8n-workflow';

import { log } from '../../../shared/log';
import type { BuiltItem } from '../builtItem';
import { namedProblems } from '../itemNumberProblems';
import type { Step } from './step';

/** Warns in n8n's log, once in a run, before the request of an item that the service will probably refuse. */
export class PhoneNumberCheck implements Step {
	private readonly context: IExecuteFunctions;

	private hasWarned = false;

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	look({ index, operation, details }: BuiltItem): undefined {
		const problems = operation.reachesPeople ? namedProblems(details) : [];
		if (problems.length === 0 || this.hasWarned) return;
		this.hasWarned = true;
		const line = `An item would probably be refused: item ${index} (${problems.join(', ')}). Items are counted from 0. 'Dry Run' shows all such items, and sends nothing.`;
		log(this.context, 'warn', line);
	}
}
