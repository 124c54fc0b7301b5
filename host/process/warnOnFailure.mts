import { errorMessage } from './errorMessage.mts';

/**
 * Runs a step without which the rest still works.
 *
 * @param warnings get a sentence when the step fails
 * @param event what did not happen then: '"A" was not published'
 * @param advice what the user can do: 'Publish it yourself.'
 * @returns whether it worked
 */
export async function warnOnFailure(
	warnings: string[],
	event: string,
	advice: string,
	step: () => Promise<void>,
): Promise<boolean> {
	try {
		await step();
		return true;
	} catch (error) {
		warnings.push(`${event}: ${errorMessage(error)}\n    ${advice}`);
		return false;
	}
}
