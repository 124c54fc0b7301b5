import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { findWrongValue } from '../../../shared/fields/findWrongField';
import { hasPossibleNumber, internationalNumber } from '../../../shared/fields/phoneNumbers';
import { PHONE_NUMBER } from '../../../shared/fields/textRule';
import { isEmpty } from '../../../shared/fields/values';
import { log } from '../../../shared/log';
import { asText, isRecord } from '../../../shared/values/json';
import { phoneNumberProblem } from '../../fields/phoneNumberProblem';
import type { Field } from '../../fields/routing';
import { defaultCountryCode } from '../../fields/sendPhoneNumber';
import { getOperation } from '../../resources';
import { requestOptions } from '../../resources/requestOptions';
import type { GetAccount } from '../accounts';
import type { BuiltItem } from '../builtItem';
import { namedProblems } from '../itemNumberProblems';
import { directValue } from './directValue';
import { enteredOptions } from './enteredOptions';
import type { Step } from './step';

/** How many items are looked at before n8n may answer others: less than 30 ms. */
const READ_AT_ONCE = 150;

/** How many items the warning names. */
const MAX_NAMED = 3;

/** The fields with a phone number that the user filled in, and what was entered. */
const enteredNumbers = (fields: Field[], entered: IDataObject): Array<[Field, unknown]> =>
	fields.flatMap((field): Array<[Field, unknown]> => {
		const value = entered[field.name];
		if (field.type === 'collection') {
			const members = (field.options ?? []).filter((option) => 'type' in option);
			return enteredNumbers(members, isRecord(value) ? value : {});
		}
		return field.rule === PHONE_NUMBER && field.name in entered ? [[field, value]] : [];
	});

/** Warns once in a run that sends, before the first request if it can. */
export class PhoneNumberCheck implements Step {
	private readonly context: IExecuteFunctions;

	private readonly getAccount: GetAccount;

	private hasWarned = false;

	constructor(context: IExecuteFunctions, getAccount: GetAccount) {
		this.context = context;
		this.getAccount = getAccount;
	}

	/**
	 * Looks at the phone numbers of all items, and warns if some of them will probably be refused. Only what stands in
	 * the items is looked at: what n8n has to evaluate would make the run slower.
	 */
	async runBegins(): Promise<void> {
		const { context } = this;
		const inputs = context.getInputData();
		if (inputs.length < 2) return;
		// What else is wrong with an item is told when its turn comes.
		const find = await this.problemFinder().catch(() => undefined);
		if (!find) return;
		const named: string[] = [];
		let count = 0;
		for (const [index, { json }] of inputs.entries()) {
			if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await sleep(0);
			const problem = await find(json);
			if (problem === undefined) continue;
			count++;
			if (count <= MAX_NAMED) named.push(`item ${index} (${problem})`);
		}
		if (count === 0) return;
		const others = count > named.length ? ` and ${count - named.length} more` : '';
		this.warn(
			`${count} of ${inputs.length} items would probably be refused: ${named.join(', ')}${others}.`,
		);
	}

	/** Warns of an item that is about to be sent, unless a warning was given. */
	look({ index, operation, details }: BuiltItem): undefined {
		const problems = operation.reachesPeople ? namedProblems(details) : [];
		if (problems.length === 0 || this.hasWarned) return;
		this.warn(`An item would probably be refused: item ${index} (${problems.join(', ')}).`);
	}

	private warn(line: string): void {
		this.hasWarned = true;
		log(
			this.context,
			'warn',
			`${line} Items are counted from 0. 'Dry Run' shows all such items, and sends nothing.`,
		);
	}

	/** Tells what is wrong with the phone number of an item; undefined when n8n has to evaluate something for it. */
	private async problemFinder(): Promise<
		((item: IDataObject) => Promise<string | undefined>) | undefined
	> {
		const { context, getAccount } = this;
		const { parameters } = context.getNode();
		const { resource, operation } = parameters;
		const { fields, reachesPeople } = getOperation(
			context.getNodeParameter('resource', 0, ''),
			context.getNodeParameter('operation', 0, ''),
		);
		const isSameForAll = ![resource, operation].some((name) => asText(name).startsWith('='));
		const { dryRun = false } = enteredOptions(context);
		const options: unknown = parameters[requestOptions.name];
		const readCode = directValue(isRecord(options) ? options.defaultCountryCode : undefined);
		const [first, ...others] = enteredNumbers(fields, parameters);
		const read = first && directValue(first[1]);
		if (!reachesPeople || !isSameForAll || dryRun !== false || !readCode || !read) return undefined;
		if (others.length > 0) return undefined;
		// A credential with an expression is another object for each item, and slow to read.
		const account = await getAccount(0);
		if ((await getAccount(1)) !== account) return undefined;
		const [field] = first;
		return async (item) => {
			const number = read(item);
			if (hasPossibleNumber(String(number).trim())) return undefined;
			const wrong = findWrongValue(field, number, ({ required }) => required === true);
			if (wrong) return `'${field.displayName}' ${wrong.problem}`;
			if (isEmpty(number)) return undefined;
			const code = await defaultCountryCode({
				getNodeParameter: (_, fallback) => readCode(item) ?? fallback,
				getCredentials: async () => await Promise.resolve(account.credential),
			}).catch(() => undefined);
			// The item fails, and says why.
			if (code === undefined) return undefined;
			const found = phoneNumberProblem(internationalNumber(number, code), code);
			return found && `'${field.displayName}' ${found.problem}`;
		};
	}
}
