import { HiddenTokens } from '../base/secrets.mts';
import type { User } from './records.mts';
import type { Table } from './table.mts';

/** Hides the API tokens of all users. */
export class UserTokens {
	readonly #users: Table<User>;
	#tokens: string[] = [];
	#hidden = new HiddenTokens([]);

	constructor(users: Table<User>) {
		this.#users = users;
	}

	/** @param sent a token that no user needs to have */
	hidden(sent?: string): HiddenTokens {
		// Seeds and resets change them; to look is cheaper than to be told.
		const tokens = this.#users.values('token').map(String);
		if (tokens.join('\n') !== this.#tokens.join('\n')) {
			this.#tokens = tokens;
			this.#hidden = new HiddenTokens(tokens);
		}
		const isKnown = sent === undefined || tokens.includes(sent);
		return isKnown ? this.#hidden : new HiddenTokens([...tokens, sent]);
	}
}
