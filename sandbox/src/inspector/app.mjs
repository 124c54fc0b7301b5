import { ApiFailure, ask } from './api.mjs';
import { openCallNow } from './callNow.mjs';
import { clockBar } from './clockBar.mjs';
import { button, empty, link, muted } from './components.mjs';
import { DialogOutlet } from './dialog.mjs';
import { useFocus } from './focus.mjs';
import { counted } from './format.mjs';
import { PAGE } from './list.mjs';
import { listen, oneAtATime } from './live.mjs';
import { Menu } from './menu.mjs';
import { Message } from './messages.mjs';
import { useNews } from './news.mjs';
import { toHref, readRoute } from './route.mjs';
import { h, html, render, useEffect, useMemo, useRef, useState } from './vendor/preact.js';
import { VIEWS } from './views.mjs';

/**
 * What is loaded for an address; a failure is shown in the place of the data.
 * @typedef {{ route: Route, now: string, data: Row | ApiFailure }} Loaded
 */

/** Milliseconds between two looks at a clock that runs. */
const CLOCK_MS = 1000;

const BRAND = html`
	<img src="assets/icon.svg" alt="Sandbox" width="22" /><span class="wide" aria-hidden="true"
		>Sandbox</span
	>
`;

const CONNECTIONS = {
	connecting: { text: 'Connecting …', banner: '' },
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

/** @param {Route} route @param {number} count */
async function loadView(route, count) {
	const view = VIEWS[route.view];
	if (!view) throw new ApiFailure(404, `There is no page “${route.view}”.`);
	return await view.load(route, count);
}

/** @param {unknown} error */
function toFailure(error) {
	if (error instanceof ApiFailure) return error;
	throw error;
}

/** Loads what the address names, and loads it again when the sandbox changes. */
function useSandbox() {
	const [wanted, setWanted] = useState(() => ({ route: readRoute(), count: PAGE }));
	const [loaded, setLoaded] = useState(/** @type {Loaded | undefined} */ (undefined));
	const [health, setHealth] = useState(/** @type {Row | undefined} */ (undefined));
	const [connection, setConnection] = useState(/** @type {Connection} */ ('connecting'));
	const latest = useRef(wanted);
	latest.current = wanted;

	const load = async () => {
		const { route, count } = latest.current;
		const [now, data] = await Promise.all([
			ask('health').catch(toFailure),
			loadView(route, count).catch(toFailure),
		]);
		// The banner tells that the sandbox is gone, and what was shown is still worth reading.
		const isGone = data instanceof ApiFailure && [0, 401].includes(data.status);
		if (isGone || now instanceof ApiFailure) return;
		setHealth(now);
		if (route === latest.current.route) setLoaded({ route, now: now.now, data });
	};
	const follow = () =>
		setWanted(({ route: { view, query }, count }) => {
			const route = readRoute();
			const isSameList = toHref(view, query) === toHref(route.view, route.query);
			return { route, count: isSameList ? count : PAGE };
		});
	const refresh = useMemo(() => oneAtATime(load), []);
	useEffect(() => void refresh(), [wanted]);
	useEffect(() => {
		listen(() => void refresh(), setConnection);
		addEventListener('hashchange', follow);
	}, []);

	// A clock that runs by itself is no change that the sandbox tells of.
	const isTicking = connection === 'live' && health !== undefined && health.mode !== 'manual';
	useEffect(() => {
		const look = () => document.hidden || ask('health').then(setHealth, () => {});
		const timer = isTicking ? setInterval(look, CLOCK_MS) : undefined;
		return () => clearInterval(timer);
	}, [isTicking]);

	const loadMore = () => setWanted(({ route, count }) => ({ route, count: count + PAGE }));
	return { route: wanted.route, loaded, health, connection, loadMore };
}

function App() {
	const { route, loaded, health, connection, loadMore } = useSandbox();
	const main = useRef(/** @type {HTMLElement | null} */ (null));
	const list = loaded?.data instanceof ApiFailure ? undefined : loaded?.data.list;
	// The page of each record is new; a list stays when a record opens beside it.
	const key = list ? loaded?.route.view : `${loaded?.route.view}/${loaded?.route.id}`;
	const page = useMemo(() => loaded && h(Page, { ...loaded, loadMore, key }), [loaded]);
	const news = useNews(loaded?.route, list?.rows);
	useFocus(loaded?.route);
	const { text, banner } = CONNECTIONS[connection];
	const skip = (/** @type {Event} */ event) => {
		// The address names the view.
		event.preventDefault();
		main.current?.focus();
	};
	return html`
		<a class="skip" href="#main" onclick=${skip}>Skip to the content</a>
		<header>
			<button class="menu" popovertarget="views" aria-label="Menu">☰</button>
			<p class="brand">${link('timeline', {}, BRAND)}</p>
			<p class="connection" data-state=${connection}>${text}</p>
			${h(Message, {})} ${health && faultsLink(health)} ${health && clockBar(health)}
			${button('Call now', () => openCallNow(), { class: 'primary' })}
		</header>
		<p class="banner" id="banner" role="alert" hidden=${banner === ''}>${banner}</p>
		${h(Menu, route)}
		<main id="main" tabindex="-1" ref=${main}>${page ?? muted('Loading …')}</main>
		<p class="hidden" aria-live="polite">${news}</p>
		<div>${h(DialogOutlet, {})}</div>
	`;
}

/** What makes the service misbehave now, in one badge. @param {Row} health */
function faultsLink({ faults, weather }) {
	const parts = [
		faults > 0 && counted(faults, 'fault'),
		weather === 'ordinary' && 'ordinary weather',
	].filter(Boolean);
	if (parts.length === 0) return undefined;
	return html`
		<a class="badge warn" href=${toHref('faults')} title="In force">${parts.join(', ')}</a>
	`;
}

/** @param {Loaded & { loadMore: () => void }} parts */
function Page({ route, now, data, loadMore }) {
	if (!(data instanceof ApiFailure)) {
		return VIEWS[route.view]?.render(data, { route, now, loadMore });
	}
	return html`
		<h1 tabindex="-1">${data.status === 404 ? 'Not found' : 'This did not work'}</h1>
		${empty([data.message, ' ', link('timeline', {}, 'Go to the timeline.')])}
	`;
}

render(h(App, {}), document.body);
