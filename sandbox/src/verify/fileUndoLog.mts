import type { Client } from './client.mts';
import type { Questions } from './questions.mts';
import { restore } from './restore.mts';
import { shellCommand } from './shellCommand.mts';
import { Stop } from './stop.mts';
import { describeUndo, isSameThing, undoRequest, type Undo } from './undo.mts';
import { UndoFile } from './undoFile.mts';
import type { UndoLog } from './undoLog.mts';

interface UndoLogOptions {
	baseUrl: string;
	/** One of its own: Ctrl-C must not abort it. */
	client: Client;
	questions: Pick<Questions, 'tell'>;
	folder: string;
}

/**
 * Opens the log of one service, in a file that outlives the process.
 *
 * @throws {Stop} when there is a file that cannot be read
 */
export async function openUndoLog({
	baseUrl,
	client,
	questions,
	folder,
}: UndoLogOptions): Promise<UndoLog> {
	const file = new UndoFile(baseUrl, folder);
	let changes: readonly Undo[] = await file.read();
	if (changes.length > 0)
		questions.tell('An earlier run was interrupted. Its changes are taken back.');

	/** Whether taking back has failed. */
	let isStuck = false;
	const without = (undo: Undo): Undo[] => changes.filter((each) => !isSameThing(each, undo));

	async function save(undo: readonly Undo[]): Promise<void> {
		await file.write(undo);
		changes = undo;
	}

	function tellCommand(undo: Undo): void {
		if (undo.kind === 'creation') return;
		questions.tell(`  ${shellCommand(baseUrl, undoRequest(undo))}`);
	}

	return {
		async add(undo) {
			if (isStuck) throw new Stop('A change could not be restored, so nothing more is changed.');
			const isKnown = without(undo).length < changes.length;
			await save([...without(undo), undo]);
			if (isKnown || undo.kind === 'creation') return;
			questions.tell(
				`This command restores ${describeUndo(undo)}. It is only needed if this program cannot:`,
			);
			tellCommand(undo);
		},

		remove: (undo) => save(without(undo)),

		async undoAll() {
			const left: Undo[] = [];
			for (const undo of changes.toReversed()) {
				const { isDone, text } = await restore(client, undo);
				questions.tell(text);
				if (isDone) {
					await save(without(undo));
				} else {
					left.push(undo);
				}
			}
			isStuck = left.length > 0;
			if (!isStuck) return true;
			questions.tell(`The next start tries again, because of the file ${file.path}. By hand:`);
			left.forEach(tellCommand);
			return false;
		},
	};
}
