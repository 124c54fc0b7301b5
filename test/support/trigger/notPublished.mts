/**
 * What a failed publish says.
 *
 * @param reason why, and what to do
 * @param former the assistant of the version before, if it was another one
 */
export const notPublished = (reason: string, former?: string): string =>
	`${former ? `No assistant sends its calls to this workflow now: it was taken off the assistant ${former} before.` : 'This trigger receives no calls now.'} ${reason} If you do not correct it now, unpublish the workflow: n8n may publish it by itself when it next starts.`;
