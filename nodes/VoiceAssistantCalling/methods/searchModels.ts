import { LIST_PATHS, readList } from '../../shared/lists/readList';
import { entryByName, searchWholeList } from '../../shared/pickers/searchWholeList';
import { asText } from '../../shared/values/json';
import { chosenMode } from './assistantForm';

/** Lists the models of the chosen mode. Where none is chosen, those of the contract's two modes. */
export const searchModels = searchWholeList({
	async read(context, credential) {
		const chosen = chosenMode(context);
		const types = chosen ? [chosen.type] : ['llm', 'multimodal'];
		const lists = await Promise.all(
			types.map(async (type) => await readList(context, credential, LIST_PATHS.models, { type })),
		);
		const models = lists.flatMap((list) => list ?? []);
		// Two modes can have models of the same name.
		const unique = new Map(models.map((model) => [asText(model.name), model]));
		return lists.includes(undefined) ? undefined : [...unique.values()];
	},
	toEntry: entryByName,
	what: 'models',
	mode: 'By Name',
});
