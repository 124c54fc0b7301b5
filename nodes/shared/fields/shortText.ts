/** A value as text, cut off where it would flood the screen. */
export const shortText = (value: unknown): string => {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
