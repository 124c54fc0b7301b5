/**
 * What a failed publish says.
 *
 * @param reason why, and what to do
 * @param former the assistant of the version before, if it was another one
 */
export const notPublished = (reason: string, former?: string): string =>
	`${former ? `Neither assistant tells this workflow now: n8n took it off the assistant ${former} first.` : 'This trigger receives no calls now.'} ${reason} If you do not correct it now, unpublish the workflow: n8n may publish it by itself when it next starts.`;
