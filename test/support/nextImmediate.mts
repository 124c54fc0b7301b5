/** Waits until Node has done what is due now, so that what another task does in between can be seen. */
export const nextImmediate = async (): Promise<void> => {
	await new Promise<void>((resolve) => {
		setImmediate(resolve);
	});
};
