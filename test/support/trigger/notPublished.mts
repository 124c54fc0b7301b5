/** What a failed publish says. @param reason why, and what to do */
export const notPublished = (reason: string): string =>
	`This trigger receives no calls now. ${reason} If you do not correct it now, unpublish the workflow: n8n may publish it by itself when it next starts.`;
