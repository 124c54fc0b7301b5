/** How a level asks the user before it costs something. */
export interface Questions {
	/** @returns whether the user typed "yes"; false without a terminal, and at Ctrl-C */
	confirm(question: string): Promise<boolean>;
	/** Prints a line above the progress. */
	tell(line: string): void;
}
