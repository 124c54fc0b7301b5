import type { Client } from './client.mts';
import type { Questions } from './questions.mts';
import { restore } from './restore.mts';
import { shellCommand } from './shellCommand.mts';
import { Stop } from './stop.mts';
import { describeUndo, isChange, isSameThing, undoRequest, undoVerbs } from './undo.mts';
import type { Change, Undo } from './undo.mts';
import type { UndoFile } from './undoFile.mts';
import type { UndoLog } from './undoLog.mts';

interface UndoLogOptions {
	/** Where the changes outlive the process. */
	file: UndoFile;
	/** One of its own: Ctrl-C must not abort it. */
	client: Client;
	questions: Pick<Questions, 'tell'>;
	/** Whether a change was sent and not answered: it may take effect later. */
	isUnanswered: () => boolean;
}

/**
 * Opens the log of one service.
 *
 * @throws {Stop} when there is a file that cannot be read
 */
export async function openUndoLog({
	file,
	client,
	questions,
	isUnanswered,
}: UndoLogOptions): Promise<UndoLog> {
	const { undo: written, isOwn } = await file.read();
	let changes: readonly Undo[] = isOwn ? written : [];

	/** Whether taking back has failed. */
	let isStuck = false;
	const without = (undo: Undo): Undo[] => changes.filter((each) => !isSameThing(each, undo));

	async function save(undo: readonly Undo[]): Promise<void> {
		await file.write(undo);
		changes = undo;
	}

	function tellCommand(undo: Change): void {
		questions.tell(`  ${shellCommand(file.baseUrl, undoRequest(undo))}`);
	}

	if (!isOwn) {
		questions.tell(
			`A run with another API token was interrupted. Start this command with that token to restore what it changed, or use these commands with it, and remove the file ${file.path}:`,
		);
		written.filter(isChange).forEach(tellCommand);
	} else if (written.some(isChange)) {
		questions.tell('An earlier run was interrupted. Its changes are taken back.');
	}

	function requireNothingLeft(): void {
		if (!isOwn)
			throw new Stop('A change with another API token is not restored, so nothing is changed.');
		if (isStuck) throw new Stop('A change could not be restored, so nothing more is changed.');
	}

	return {
		requireNothingLeft,

		async add(undo) {
			requireNothingLeft();
			const isKnown = without(undo).length < changes.length;
			await save([...without(undo), undo]);
			if (isKnown || !isChange(undo)) return;
			questions.tell(
				`If this program cannot ${undoVerbs(undo).todo} ${describeUndo(undo)}, this command does:`,
			);
			tellCommand(undo);
		},

		remove: (undo) => save(without(undo)),

		async undoAll() {
			const left: Change[] = [];
			const failures: unknown[] = [];
			for (const undo of changes.toReversed().filter(isChange)) {
				const { isDone, text } = await restore(client, undo);
				questions.tell(text);
				if (!isDone || isUnanswered()) {
					left.push(undo);
					continue;
				}
				// A full disk must not keep the others from being restored.
				await save([...without(undo), ...remainingOf(undo)]).catch((error: unknown) =>
					failures.push(error),
				);
			}
			isStuck = left.length > 0;
			if (failures.length > 0) throw failures[0];
			if (!isStuck) return true;
			if (isUnanswered())
				questions.tell('The service did not answer a change, which may still take effect.');
			questions.tell(
				`The next start looks again, because of the file ${file.path}. You can also restore by hand, and remove the file:`,
			);
			left.forEach(tellCommand);
			return false;
		},

		async tellWhatRemains() {
			const remaining = changes.filter((undo) => !isChange(undo));
			if (remaining.length === 0) return;
			const names = remaining.map(describeUndo).join(', ');
			questions.tell(`These remain in the account, because no request deletes them: ${names}.`);
			await save(changes.filter(isChange));
		},
	};
}

/** The record that a restored change leaves. */
const remainingOf = (undo: Change): Undo[] =>
	undo.kind === 'waiting lead' ? [{ kind: 'creation', what: describeUndo(undo) }] : [];
