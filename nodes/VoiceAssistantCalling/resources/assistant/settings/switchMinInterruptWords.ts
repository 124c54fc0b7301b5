import { getBody, type PreSend } from '../../../fields/routing';

/** The service has a number and a switch for it (contract: Assistant writable fields). 0 is off. */
export const switchMinInterruptWords: PreSend = (request) => {
	const body = getBody(request);
	const { min_interrupt_words: words } = body;
	if (words === undefined) return Promise.resolve(request);
	return Promise.resolve({ ...request, body: { ...body, use_min_interrupt_words: words !== 0 } });
};
