import type { Locator, Page, PageScreenshotOptions } from '@playwright/test';

const NOTE = '.vue-flow__node:has([data-test-id="sticky"])';
const NODE = '[data-test-id="canvas-node"]';
const LINE = '[data-test-id="edge"] .vue-flow__edge-path';

/** What n8n adds to nodes: where a connection could begin, buttons for a pointer, and warnings. */
const ADDED = [
	'[data-test-id^="canvas-handle-plus"]',
	'[data-test-id="canvas-node-toolbar"]',
	'[data-test-id="canvas-trigger-node"] + div',
	'div:has(> div > [data-test-id^="execute-workflow-button"])',
	'[data-test-id="node-issues"]',
].join();

/** Leaves nothing but the nodes and their connections on the screen. */
const NODES_ALONE = `
	body * { visibility: hidden; }
	.vue-flow, .vue-flow__viewport * { visibility: visible; }
	:is(${ADDED}), :is(${ADDED}) * { visibility: hidden !important; }
`;

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The used parts of a browser's Element; the tools are compiled without these types. */
interface BoxedElement {
	getBoundingClientRect: () => Box;
}

interface NoteElement {
	textContent: string;
	clientHeight: number;
	children: [NoteElement];
	offsetTop: number;
	offsetHeight: number;
}

interface LineElement {
	parentElement: { dataset: { sourceNodeName: string; targetNodeName: string } };
	getTotalLength: () => number;
	getPointAtLength: (length: number) => { matrixTransform: (matrix: unknown) => Box };
	getScreenCTM: () => unknown;
	ownerDocument: {
		querySelectorAll: (
			selector: string,
		) => Iterable<BoxedElement & { dataset: { nodeName: string } }>;
	};
}

interface NodeElement extends BoxedElement {
	dataset: { nodeName: string };
	offsetWidth: number;
}

interface PlusElement extends BoxedElement {
	closest: (selector: string) => NodeElement;
	ownerDocument: { querySelectorAll: (selector: string) => Iterable<LineElement> };
}

interface NamedElement {
	dataset: { nodeName: string };
	querySelectorAll: (
		selector: string,
	) => Iterable<{ children: unknown[]; textContent: string; offsetHeight: number }>;
}

/** What Vue adds to the element of its application: here the routes of n8n's editor. */
interface EditorElement {
	__vue_app__: {
		config: { globalProperties: { $router: { push: (path: string) => Promise<unknown> } } };
	};
}

/** Around the nodes, in pixels. */
const MARGIN = 16;

/** Runs in the browser: which lines run behind nodes that they do not connect. */
const findHiddenLines = (lines: LineElement[], node: string): string[] =>
	lines.flatMap((line) => {
		const { sourceNodeName: source, targetNodeName: target } = line.parentElement.dataset;
		const others = [...line.ownerDocument.querySelectorAll(node)]
			.map((other) => ({ name: other.dataset.nodeName, box: other.getBoundingClientRect() }))
			.filter(({ name }) => name !== source && name !== target);
		const matrix = line.getScreenCTM();
		const points = Array.from({ length: Math.ceil(line.getTotalLength()) }, (_, at) =>
			line.getPointAtLength(at).matrixTransform(matrix),
		);
		return others
			.filter(({ box }) =>
				points.some(
					({ x, y }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height,
				),
			)
			.map(({ name }) => `${source} → ${target} behind ${name}`);
	});

const PLUS = '[data-test-id="canvas-handle-plus-wrapper"]';
/** The name of a node, on one line. */
const NAME_LINE = 21;
/** As long as the line and the plus behind an output that leads nowhere once it has items (n8n 2.41). */
const STUB = 80 + 24;

/** Runs in the browser: which lines touch what is drawn behind an output that leads nowhere. */
const findTouchedLines = (pluses: PlusElement[], [line, stub]: [string, number]): string[] =>
	pluses.flatMap((plus) => {
		const node = plus.closest('[data-test-id="canvas-node"]');
		const from = node.getBoundingClientRect();
		const { x, y, height } = plus.getBoundingClientRect();
		const scale = from.width / node.offsetWidth;
		const left = from.x + from.width + scale;
		// Those below an agent are for its tools.
		if (x < left - 2 * scale) return [];
		return [...plus.ownerDocument.querySelectorAll(line)]
			.filter((path) => {
				const matrix = path.getScreenCTM();
				return Array.from({ length: Math.ceil(path.getTotalLength()) }, (_, at) =>
					path.getPointAtLength(at).matrixTransform(matrix),
				).some((at) => at.x > left && at.x < left + stub * scale && at.y > y && at.y < y + height);
			})
			.map(({ parentElement: { dataset: ends } }) => {
				return `${node.dataset.nodeName} at ${ends.sourceNodeName} → ${ends.targetNodeName}`;
			});
	});

/** Runs in the browser: which nodes have a name that is on two lines. */
const findLongNames = (nodes: NamedElement[], lineHeight: number): string[] =>
	nodes
		.filter((node) =>
			[...node.querySelectorAll('div')].some(
				({ children, textContent, offsetHeight }) =>
					children.length === 0 &&
					textContent.trim() === node.dataset.nodeName &&
					offsetHeight > 1.5 * lineHeight,
			),
		)
		.map(({ dataset }) => dataset.nodeName);

/** Runs in the browser: how many pixels of each note have no text, by its first words. */
const measureRests = (notes: NoteElement[]): [string, number][] =>
	notes.map((note) => {
		const [text] = note.children;
		return [
			text.textContent.trim().slice(0, 30),
			note.clientHeight - text.offsetTop - text.offsetHeight,
		];
	});

/** Runs in the browser: where each node is. */
const measureNodes = (nodes: (BoxedElement & { dataset: { nodeName: string } })[]) =>
	nodes.map((node) => {
		const { x, y, width, height } = node.getBoundingClientRect();
		return { name: node.dataset.nodeName, x, y, width, height };
	});

/** How much of its own height the first line of a node's name needs below the node. */
const NAME_HEIGHT = 0.3;

/** A workflow on the canvas, and its executions. */
export function workflowPage(page: Page) {
	/** The dialog that says that the workflow is published. */
	const published = page.getByTestId('activation-modal');
	/** The list of executions, the newest first. */
	const executions = page
		.getByTestId('current-executions-list')
		.locator('[data-test-id^="execution-details-"]');
	const nodes = page.getByTestId('canvas-node');
	const executeButton = page.getByTestId('execute-workflow-button');
	/** What an empty canvas shows: one button or, to an owner whose n8n is new, several. */
	const firstStep = page
		.getByTestId('canvas-add-button')
		.or(page.getByTestId('canvas-choice-prompt'));
	/** Above the list of all workflows, also while there are none. */
	const overview = page.getByRole('heading', { name: 'Overview' });
	const unsaved = page.getByRole('button', { name: 'Leave without saving' });

	const node = (name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	/** Follows a link within the editor. To load it again would take a browser ten times as long. */
	const goTo = async (path: string) => {
		const follow = (editor: EditorElement, to: string) => {
			void editor.__vue_app__.config.globalProperties.$router.push(to);
		};
		await page.locator('#app').evaluate(follow, path);
	};
	/** The nodes whose names this covers. */
	const namesUnder = async (covering: Locator): Promise<string[]> => {
		const button = await covering.boundingBox();
		if (button === null) return [];
		const shown = await nodes.evaluateAll(measureNodes);
		return shown
			.filter(
				({ x, y, width, height }) =>
					y + height * (1 + NAME_HEIGHT) > button.y &&
					x + width > button.x &&
					x < button.x + button.width,
			)
			.map(({ name }) => name);
	};
	return {
		published,
		executions,
		create: async () => {
			await goTo('/workflow/new');
			await firstStep.waitFor();
		},
		open: async (workflowId: string) => {
			await goTo(`/workflow/${workflowId}`);
			// Until then, another workflow may be there.
			await page.waitForURL(`**/workflow/${workflowId}*`);
			await nodes.first().waitFor();
		},
		/**
		 * Goes to the list of all workflows.
		 *
		 * n8n saves a new workflow by itself soon after a node was added. It would return to the workflow if
		 * that ended while it asks whether to leave (n8n 2.41.1).
		 */
		leave: async () => {
			if ((await nodes.count()) > 0) await page.waitForURL((url) => !url.searchParams.has('new'));
			await goTo('/workflows');
			// n8n asks when it has not yet saved the last change.
			await unsaved.or(overview).waitFor();
			if (await unsaved.isVisible()) await unsaved.click();
			await overview.waitFor();
		},
		openNode: async (name: string) => await node(name).dblclick(),
		/** What n8n shows at a node that cannot run. */
		warnings: (name: string) => node(name).getByTestId('node-issues'),
		/** Shows the whole workflow. */
		zoomToFit: async () => await page.getByTestId('zoom-to-fit').click(),
		/** How to take a picture of the nodes alone, as large as they are. */
		nodesAlone: async (): Promise<PageScreenshotOptions> => {
			await page.mouse.move(0, 0);
			const boxes = await page
				.locator(`${NODE} *:not(:is(${ADDED}), :is(${ADDED}) *)`)
				.evaluateAll((parts: BoxedElement[]) => parts.map((part) => part.getBoundingClientRect()));
			const shown = boxes.filter(({ width, height }) => width > 0 && height > 0);
			const x = Math.min(...shown.map((box) => box.x)) - MARGIN;
			const y = Math.min(...shown.map((box) => box.y)) - MARGIN;
			const width = Math.max(...shown.map((box) => box.x + box.width)) + MARGIN - x;
			const height = Math.max(...shown.map((box) => box.y + box.height)) + MARGIN - y;
			return { style: NODES_ALONE, clip: { x, y, width, height } };
		},
		notes: page.locator(NOTE),
		lines: page.locator(LINE),
		hiddenLines: async () => await page.locator(LINE).evaluateAll(findHiddenLines, NODE),
		/** Where what n8n draws behind an output that leads nowhere touches another line. */
		touchedLines: async () =>
			await page
				.locator(`${NODE} ${PLUS}`)
				.evaluateAll(findTouchedLines, [LINE, STUB] as [string, number]),
		/** The nodes whose name is on two lines. */
		longNames: async () => await nodes.evaluateAll(findLongNames, NAME_LINE),
		/** How many pixels below the text of each note are empty, in the size of the text. */
		restsOfNotes: async () =>
			await page.locator(`${NOTE} [data-test-id="sticky"] > div:has(p)`).evaluateAll(measureRests),
		executeButton,
		/** The nodes whose names n8n's large button covers, when the whole workflow is shown. */
		namesUnderButton: async () => await namesUnder(executeButton),
		/** The nodes whose names the buttons for the zoom cover then. */
		namesUnderZoom: async () => await namesUnder(page.getByTestId('canvas-controls')),
		/** Runs the whole workflow. */
		execute: async () => await executeButton.click(),
		/** Clicks a link of a note, which opens in another tab. */
		openLink: async (text: string) => {
			const opened = page.context().waitForEvent('page');
			await page.getByRole('link', { name: text }).click();
			return await opened;
		},
		/** Asks n8n to publish the workflow. */
		publish: async () => {
			await page.getByTestId('workflow-open-publish-modal-button').click();
			await page.getByTestId('workflow-publish-button').click();
		},
		closePublished: async () => {
			await published.getByRole('button', { name: 'Got it' }).click();
			await published.waitFor({ state: 'hidden' });
		},
		openExecutions: async () => {
			await page.getByTestId('radio-button-executions').click();
			await executions.first().waitFor();
		},
	};
}
