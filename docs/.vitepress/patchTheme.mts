/** The part of Vite's plugins that this one uses. */
interface Plugin {
	name: string;
	enforce: 'pre';
	transform: (code: string, file: string) => string | undefined;
}

/** What VitePress's theme has no setting for: a part of a component, and what takes its place. */
const PATCHES: Record<string, Array<[text: string, replacement: string]>> = {
	// Marks whole words: otherwise "all" is marked in "Gallery".
	'VPLocalSearchBox.vue': [
		[
			'(${escapeRegExp(term)})',
			'(?<![\\\\p{L}\\\\p{N}])(${escapeRegExp(term)})(?![\\\\p{L}\\\\p{N}])',
		],
		["'gi'", "'giu'"],
		// A dialog, and a link that is the option itself: a button or an option must not hold a link.
		[
			`role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"`,
			'role="dialog" aria-modal="true"',
		],
		[
			`:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
			'role="presentation"',
		],
		[
			`:aria-label="[...p.titles, p.title].join(' > ')"`,
			`:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index"`,
		],
		['<span class="title-icon">', '<span class="title-icon" aria-hidden="true">'],
	],
	// A key that is no part of the button's name: CallPicture.vue shows it.
	'VPNavBarSearchButton.vue': [['Key">K</kbd>', 'Key k"></kbd>']],
	// A screen reader jumps to the content of the first page.
	'VPHome.vue': [
		['<div \n    class="VPHome"', '<main\n    class="VPHome"'],
		['<Content v-else />\n  </div>', '<Content v-else />\n  </main>'],
	],
	// The heading of a group without a page is a button already.
	'VPSidebarItem.vue': [
		[
			`role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"`,
			'aria-hidden="true"',
		],
	],
};

/**
 * Changes components of VitePress's theme.
 *
 * @throws when a component has changed
 */
export const patchTheme = (): Plugin => ({
	name: 'patch-theme',
	enforce: 'pre',
	transform(code, file) {
		const component = /\/theme-default\/components\/([^/?]+)$/.exec(file)?.[1] ?? '';
		return PATCHES[component]?.reduce((patched, [text, replacement]) => {
			if (patched.split(text).length !== 2) throw new Error(`${component} has no ${text}`);
			return patched.replace(text, () => replacement);
		}, code);
	},
});
