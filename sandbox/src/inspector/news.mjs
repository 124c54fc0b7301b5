import { toHref } from './route.mjs';
import { useEffect, useRef, useState } from './vendor/preact.js';

/** Milliseconds between two words of a screen reader about news. */
const NEWS_MS = 10_000;

/**
 * Tells a screen reader, now and then, how many rows of a list are new. They are shown newest first.
 * @type {(route: Route | undefined, rows?: Row[]) => string}
 */
export function useNews(route, rows) {
	const [news, setNews] = useState('');
	const before = useRef({ list: '', newest: 0 });
	const toldAt = useRef(0);
	useEffect(() => {
		const { list, newest } = before.current;
		before.current = { list: toHref(route?.view ?? '', route?.query), newest: rows?.[0]?.id ?? 0 };
		const count = rows?.filter(({ id }) => id > newest).length;
		const isSameList = list === before.current.list && newest > 0;
		if (!isSameList || !count || performance.now() - toldAt.current < NEWS_MS) return;
		toldAt.current = performance.now();
		setNews(count === 1 ? 'One new entry.' : `${count} new entries.`);
	}, [rows]);
	return news;
}
