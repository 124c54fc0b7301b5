/** A text without line breaks, which would look like the next line of a transcript. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
