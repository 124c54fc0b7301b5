import { ask, ApiFailure } from './api.mjs';
import { clockBar } from './clockBar.mjs';
import { empty } from './components.mjs';
import { openCallNow, openReset } from './dialogs.mjs';
import { h, morph } from './dom.mjs';
import { counted } from './format.mjs';
import { newList } from './list.mjs';
import { listen } from './live.mjs';
import { hrefOf, readRoute } from './route.mjs';
import { account } from './views/account.mjs';
import { assistants } from './views/assistants.mjs';
import { calls } from './views/calls.mjs';
import { campaigns } from './views/campaigns.mjs';
import { faults } from './views/faults.mjs';
import { leads } from './views/leads.mjs';
import { messages } from './views/messages.mjs';
import { requestLog } from './views/requestLog.mjs';
import { timeline } from './views/timeline.mjs';
import { toolRequests, tools } from './views/tools.mjs';
import { webhooks } from './views/webhooks.mjs';

/** The views by their names in the address. */
const VIEWS = /** @type {{ [name: string]: import('./views/view.mjs').View }} */ ({
	timeline,
	requests: requestLog,
	calls,
	leads,
	campaigns,
	webhooks,
	sms: messages,
	assistants,
	tools,
	'tool-requests': toolRequests,
	account,
	faults,
});

/** Views that other views lead to. */
const NOT_IN_MENU = ['tool-requests'];

/** Milliseconds between two looks at a clock that runs. */
const CLOCK_MS = 1000;

/** Milliseconds between two words of a screen reader about news. */
const NEWS_MS = 10_000;

const CONNECTIONS = {
	live: { text: 'Live', banner: '' },
	gone: {
		text: 'Not running',
		banner:
			'The sandbox does not answer. Start it again with “npm run sandbox”: this page then goes on by itself.',
	},
	locked: {
		text: 'Locked',
		banner:
			'The sandbox was started again, and its control token is new. Open the address that it printed.',
	},
};

const isWide = matchMedia('(width >= 1000px)');

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.querySelector(`#${id}`));

let route = readRoute();
let state = newList();
let isNewAddress = true;
let isLoading = false;
let isStale = false;
/**
 * Where the focus goes once the address is shown: to the first that is there.
 * @type {string[]}
 */
let focusNext = [];

/** Loads and shows what the address names. What changes meanwhile is loaded afterwards. */
async function refresh() {
	if (isLoading) {
		isStale = true;
		return;
	}
	isLoading = true;
	try {
		do {
			isStale = false;
			await show();
		} while (isStale);
	} finally {
		isLoading = false;
	}
}

async function show() {
	const shownRoute = route;
	const shownState = state;
	const view = VIEWS[route.view];
	const newest = shownState.rows[0]?.['id'] ?? 0;
	const main = /** @type {HTMLElement} */ (byId('main').cloneNode(false));
	try {
		if (!view) throw new ApiFailure(404, `There is no page “${shownRoute.view}”.`);
		const [now, data] = await Promise.all([
			showHealth(),
			view.load({ route: shownRoute, state: shownState }),
		]);
		main.append(
			...[view.render(data, { route: shownRoute, state: shownState, now, refresh })]
				.flat()
				.filter((child) => child instanceof Node),
		);
	} catch (error) {
		if (!(error instanceof ApiFailure)) throw error;
		// The banner tells it already, and what was shown is still worth reading.
		if (error.status === 0 || error.status === 401) return;
		main.append(
			h('h1', { tabindex: '-1' }, error.status === 404 ? 'Not found' : 'This did not work'),
			empty(error.message, ' ', h('a', { href: hrefOf('timeline') }, 'Go to the timeline.')),
		);
	}
	if (shownRoute !== route) return;
	morph(byId('main'), main);
	document.title = `${document.querySelector('main h1')?.textContent ?? 'Sandbox'} · Sandbox`;
	if (isNewAddress) showSelected();
	isNewAddress = false;
	if (focusNext.length === 0) return tellNews(newest);
	const [first] = focusNext.flatMap((selector) => [...document.querySelectorAll(selector)]);
	if (first instanceof HTMLElement) first.focus();
	focusNext = [];
}

/** Brings the row of the open record into sight. On a phone the record stands above its list. */
function showSelected() {
	if (isWide.matches)
		document.querySelector('main .selected')?.scrollIntoView({ block: 'nearest' });
}

let isClockRunning = false;

/** Shows the clock, and whether faults are in force. @returns the time of the sandbox */
async function showHealth() {
	const { now, mode, call_speed: callSpeed, faults: count } = await ask('health');
	isClockRunning = mode !== 'manual';
	morph(byId('clock'), clockBar({ now, mode, callSpeed }, refresh));
	byId('faults').textContent = `${counted(count, 'fault')} in force`;
	byId('faults').hidden = count === 0;
	return now;
}

let toldAt = 0;

/**
 * Tells a screen reader, now and then, how many rows are new.
 * @param {number} newest id of the row that was the first one
 */
function tellNews(newest) {
	const count = state.rows.filter(({ id }) => id > newest).length;
	if (newest === 0 || count === 0 || performance.now() - toldAt < NEWS_MS) return;
	toldAt = performance.now();
	byId('news').textContent = count === 1 ? 'One new entry.' : `${count} new entries.`;
}

function showMenu() {
	byId('views').replaceChildren(
		...Object.entries(VIEWS)
			.filter(([name]) => !NOT_IN_MENU.includes(name))
			.map(([name, { title }]) =>
				h(
					'li',
					{},
					h(
						'a',
						{ href: hrefOf(name), 'aria-current': name === route.view ? 'page' : undefined },
						title,
					),
				),
			),
	);
}

/** @param {boolean} isOpen on a phone; elsewhere the menu is always there */
const openMenu = (isOpen) => byId('menu').setAttribute('aria-expanded', String(isOpen));

addEventListener('hashchange', () => {
	const before = route;
	route = readRoute();
	const isSameView = before.view === route.view;
	const isSameList = isSameView && JSON.stringify(before.query) === JSON.stringify(route.query);
	if (!isSameList) state = newList();
	if (!isSameView || before.id !== route.id) {
		const isClosed = isSameView && route.id === undefined;
		const opener = `main a[href="${hrefOf(before.view, before.id, before.query)}"]`;
		focusNext = [isClosed ? opener : 'main .panel h2', 'main h1'];
		openMenu(false);
		isNewAddress = true;
	}
	showMenu();
	void refresh();
});

byId('skip').onclick = (event) => {
	// The address names the view.
	event.preventDefault();
	byId('main').focus();
};
byId('menu').onclick = () => openMenu(byId('menu').getAttribute('aria-expanded') !== 'true');
byId('actions').append(
	h('button', { type: 'button', class: 'primary', onclick: () => void openCallNow() }, 'Call now'),
	h('button', { type: 'button', onclick: openReset }, 'Reset'),
);
showMenu();
setInterval(() => {
	// A clock that runs by itself is no change that the sandbox tells of.
	const isShown = !document.hidden && byId('banner').hidden;
	if (isShown && isClockRunning) void showHealth().catch(() => {});
}, CLOCK_MS);
listen(
	() => void refresh(),
	(connection) => {
		const { text, banner } = CONNECTIONS[connection];
		byId('connection').textContent = text;
		byId('connection').dataset['state'] = connection;
		byId('banner').textContent = banner;
		byId('banner').hidden = banner === '';
	},
);
