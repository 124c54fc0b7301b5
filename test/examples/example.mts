import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { IConnections, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { filesMatching, root } from '../support/package.mts';
import { isObject } from '../../sandbox/test/support/contract.mts';

const isParameters = (value: unknown): value is INodeParameters => isObject(value);

const node = z
	.object({
		id: z.string().uuid(),
		name: z.string().min(1),
		type: z.string(),
		typeVersion: z.number(),
		position: z.tuple([z.number(), z.number()]),
		parameters: z.custom<INodeParameters>(isParameters),
		// By name only, because an id is valid in one installation only.
		credentials: z
			.record(
				z.string(),
				z
					.object({ name: z.string() })
					.strict()
					.transform(({ name }) => ({ id: null, name })),
			)
			.optional(),
		/** The node runs once, however many items arrive. */
		executeOnce: z.literal(true).optional(),
		alwaysOutputData: z.literal(true).optional(),
		/** In place of the line below its name. */
		notes: z.string().optional(),
		notesInFlow: z.literal(true).optional(),
		onError: z.enum(['continueRegularOutput', 'continueErrorOutput']).optional(),
	})
	// No webhookId: n8n creates one at each import.
	.strict();

/** What an agent's model, memory and tools are connected by. */
const connectionType = z.enum(['main', 'ai_languageModel', 'ai_memory', 'ai_tool']);

const connections = z.record(
	z.string(),
	z.record(
		connectionType,
		z.array(
			z.array(z.object({ node: z.string(), type: connectionType, index: z.number() }).strict()),
		),
	),
) satisfies z.ZodType<IConnections>;

const workflow = z
	.object({
		name: z.string().min(1),
		nodes: z.array(node),
		connections,
		settings: z.object({ executionOrder: z.literal('v1') }).strict(),
	})
	.strict();

/** A file of examples/: the allowed fields of a workflow that others import. */
export type Example = z.infer<typeof workflow>;
export type ExampleNode = z.infer<typeof node>;

/** The files of examples/, by name. */
export const exampleFiles = filesMatching('examples/*.json').map((file) => basename(file));

/** Files that do not yet follow the rules about their layout. */
export const LAID_OUT_LATER = ['leads-for-many-clients.json', 'remind-of-appointments.json'];

/** @throws when the file holds a field that an importable workflow must not have */
export const readExample = (file: string): Example =>
	workflow.parse(JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')));
