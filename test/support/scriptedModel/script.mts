import * as z from 'zod';

/** One use of a tool. */
export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** What the model does in one turn: it uses tools, all at the same time, or says its last words. */
export type Turn = ToolCall[] | string;

/** A tool as the model sees it. */
export const offeredTool = z.object({
	name: z.string(),
	description: z.string(),
	parameters: z.object({
		properties: z.record(z.object({ type: z.string().optional() }).passthrough()),
		required: z.array(z.string()).default([]),
	}),
});

export type OfferedTool = z.infer<typeof offeredTool>;

/** What an agent sent to the model, whichever API it uses. */
export interface ModelRequest {
	tools: OfferedTool[];
	/** What the tools have answered until now, in the order of their calls. */
	toolAnswers: string[];
}

/** One of OpenAI's APIs for chat models. */
export interface ModelApi {
	/** @throws ZodError when the body is no request of this API */
	readRequest: (body: unknown) => ModelRequest;
	/** The body of the response. */
	toResponse: (turn: Turn) => object;
}
