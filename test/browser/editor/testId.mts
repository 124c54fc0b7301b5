/** The selector of an element by the id that n8n gives it for its own browser tests. */
export const testId = (name: string): string => `[data-test-id="${name}"]`;
