/** The part of Vite's plugins that this one uses. */
interface Plugin {
	name: string;
	enforce: 'pre';
	transform: (code: string, file: string) => string | undefined;
}

/** How the search of VitePress's theme finds what to mark in its results. */
const IN_WORDS = ['.map((term) => `(${escapeRegExp(term)})`)', "'gi'"] as const;
const WHOLE_WORDS = [
	'.map((term) => `(?<![\\\\p{L}\\\\p{N}])(${escapeRegExp(term)})(?![\\\\p{L}\\\\p{N}])`)',
	"'giu'",
] as const;

/**
 * The search marks whole words: without it, "all" is marked in "Gallery". VitePress has no setting for that.
 *
 * @throws when the theme's search has changed
 */
export const markWholeWords = (): Plugin => ({
	name: 'mark-whole-words',
	enforce: 'pre',
	transform(code, file) {
		if (!file.endsWith('/VPLocalSearchBox.vue')) return undefined;
		for (const text of IN_WORDS) {
			if (code.split(text).length !== 2) throw new Error(`VPLocalSearchBox.vue has no ${text}`);
		}
		return code
			.replace(IN_WORDS[0], () => WHOLE_WORDS[0])
			.replace(IN_WORDS[1], () => WHOLE_WORDS[1]);
	},
});
