import { html } from './vendor/preact.js';

/** @param {Options} options */
export const toChoices = (options) =>
	Array.isArray(options)
		? options.map((option) => (Array.isArray(option) ? option : [option, option]))
		: Object.entries(options);

/** @param {Field} field @returns {import('preact').VNode} */
export function field({ label, hint, options, value, fields, key, ...attributes }) {
	const choices = options && toChoices(options);
	if (fields || attributes.type === 'radio') {
		return html`
			<fieldset key=${key}>
				<legend>${label}</legend>
				${hint && html`<p class="hint">${hint}</p>`} ${fields?.map(field)}
				${choices?.map(
					([choice, text]) => html`
						<label class="choice">
							<input value=${choice} defaultChecked=${choice === value} ...${attributes} />
							${text}
						</label>
					`,
				)}
			</fieldset>
		`;
	}
	const list = choices?.map(
		([choice, text]) =>
			html`<option key=${choice} value=${choice} selected=${choice === value}>${text}</option>`,
	);
	const hintId = hint && `${attributes.name}-hint`;
	return html`
		<div class="field" key=${key}>
			<label>
				<span>${label}</span>
				${
					list
						? html`<select aria-describedby=${hintId} ...${attributes}>
								${list}
							</select>`
						: html`<input
								defaultValue=${value ?? ''}
								autocomplete="off"
								aria-describedby=${hintId}
								...${attributes}
							/>`
				}
			</label>
			${hint && html`<p class="hint" id=${hintId}>${hint}</p>`}
		</div>
	`;
}
