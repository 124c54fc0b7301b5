/** How a level asks the user before it costs something. */
export interface Questions {
	/**
	 * @param answer what the user has to type
	 * @returns whether the user typed it; false without a terminal
	 * @throws {Stop} at Ctrl-C
	 */
	confirm(question: string, answer?: string): Promise<boolean>;
	/** Prints a line above the progress. */
	tell(line: string): void;
}
