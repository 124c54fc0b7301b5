/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[]} Children */

/** The events that a view listens to. `morph` takes them over from the new element to the shown one. */
const LISTENERS = /** @type {const} */ ([
	'onclick',
	'onchange',
	'oninput',
	'onsubmit',
	'onkeydown',
]);

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ [name: string]: unknown }} attributes a function is a listener (`onclick`); undefined, null
 *   and false leave an attribute out; `width` is the width in percent, which a strict policy allows only
 *   to scripts; `key` tells rows of a list apart
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false) continue;
		if (typeof value === 'function') Object.assign(element, { [name]: value });
		else if (name === 'width') element.style.width = `${value}%`;
		else if (name === 'value') Object.assign(element, { value });
		else
			element.setAttribute(name === 'key' ? 'data-key' : name, value === true ? '' : String(value));
	}
	for (const child of children.flat()) {
		if (child === undefined || child === null || child === false || child === '') continue;
		element.append(child instanceof Node ? child : String(child));
	}
	return element;
}

/** @param {Node | null} node */
const keyOf = (node) => (node instanceof HTMLElement ? node.dataset['key'] : undefined);

/**
 * @param {Node} one
 * @param {Node} other
 */
const isSameKind = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/**
 * Makes the shown element look as the wanted one, and changes only what differs: focus, selection,
 * opened details, what is being typed and a playing recording stay.
 *
 * @param {Node} shown
 * @param {Node} wanted of the same kind; used up
 */
export function morph(shown, wanted) {
	if (!(shown instanceof HTMLElement) || !(wanted instanceof HTMLElement)) {
		if (shown.nodeValue !== wanted.nodeValue) shown.nodeValue = wanted.nodeValue;
		return;
	}
	morphAttributes(shown, wanted);
	morphChildren(shown, wanted);
	const isField = shown instanceof HTMLInputElement || shown instanceof HTMLSelectElement;
	if (isField && shown !== document.activeElement && 'value' in wanted) {
		shown.value = String(wanted.value);
	}
}

/**
 * @param {HTMLElement} shown
 * @param {HTMLElement} wanted
 */
function morphAttributes(shown, wanted) {
	for (const { name } of [...shown.attributes]) {
		// The reader has opened it.
		if (name === 'open' || name === 'tabindex') continue;
		if (!wanted.hasAttribute(name)) shown.removeAttribute(name);
	}
	for (const { name, value } of wanted.attributes) {
		if (name === 'style') shown.style.width = wanted.style.width;
		else if (name !== 'open' && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
	}
	for (const name of LISTENERS) Object.assign(shown, { [name]: wanted[name] });
}

/**
 * @param {HTMLElement} shown
 * @param {HTMLElement} wanted
 */
function morphChildren(shown, wanted) {
	const wantedKeys = new Set([...wanted.children].map(keyOf));
	for (const child of [...shown.children]) if (!wantedKeys.has(keyOf(child))) child.remove();
	const keyed = new Map([...shown.children].map((child) => [keyOf(child), child]));
	/** @type {ChildNode | null} */
	let next = shown.firstChild;
	for (const child of [...wanted.childNodes]) {
		const key = keyOf(child);
		const same = key === undefined ? next && isSameKind(next, child) && next : keyed.get(key);
		if (!same || !isSameKind(same, child)) {
			shown.insertBefore(child, next);
			continue;
		}
		if (same === next) next = next.nextSibling;
		else shown.insertBefore(same, next);
		morph(same, child);
	}
	while (next) {
		const after = next.nextSibling;
		next.remove();
		next = after;
	}
}
