/** What a failed publish says. @param reason why, and what to do */
export const notPublished = (reason: string): string =>
	`This trigger receives no calls now. ${reason} If you leave it so, unpublish the workflow: n8n may try again at its next start.`;
