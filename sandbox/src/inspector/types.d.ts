type Children = import('preact').ComponentChildren;

/** A record as the control API shows it, parsed. Which fields it has: sandbox/control.md. */
type Row = { [field: string]: ReturnType<typeof JSON.parse> };

/** The filters in an address. */
type Query = { [name: string]: string };

/** What an address shows: `#/calls/12?status=failed`. */
interface Route {
	view: string;
	id: number | undefined;
	query: Query;
}

/** What a view is shown with. */
interface Context {
	route: Route;
	/** The sandbox's time. */
	now: string;
	loadMore: () => void;
}

type Connection = 'connecting' | 'live' | 'gone' | 'locked';

interface View {
	title: string;
	/** Loads what is shown, with so many rows of its list. */
	load: (route: Route, count: number) => Promise<Row>;
	render: (data: Row, context: Context) => Children;
}

/** What the cells of a table show, by the titles of the columns. */
type Columns = { [column: string]: (row: Row, context: Context) => Children };

interface List {
	/** Of the table. */
	label: string;
	columns: Columns;
	merge?: ListView['merge'];
	/** What to say while there are no rows. */
	nothing: Children;
}

/** A list as a view, and what opens from it: a page of its own, or a panel beside the list. */
interface ListView extends Omit<List, 'label'> {
	/** Of the table, unless it is the title. */
	label?: string;
	title: string;
	/** In place of the title. */
	heading?: (query: Query) => Children;
	/** Of the list in the control API. */
	path: string;
	/** A search unless given. */
	filters?: () => Filter[] | Promise<Filter[]>;
	/** Filters that only links set. */
	linked?: string[];
	/** Makes one row of several that are loaded. */
	merge?: (rows: Row[], context: Context) => Row[];
	/** Filters that are not in the address as they are. */
	moreFilters?: (query: Query) => { [name: string]: unknown };
	/** Beside the filters. */
	buttons?: (query: Query) => Children;
	/** Loads the record that opens, for the filters of the list; otherwise it is in the list's path. */
	load?: (id: number, query: Query, filters: object) => Promise<Row>;
	page?: (record: Row, context: Context) => RecordPage;
	panel?: (record: Row) => [title: string, content: Children];
}

/** The page of a record, below its name and its status. */
interface RecordPage {
	/** What one can do with it. */
	buttons?: Children;
	summary?: Children;
	main: Sections;
	/** Beside the others. */
	aside?: Sections;
}

/** Parts of a page by their headings. One without content is left out. */
type Sections = { [title: string]: Children };

/** Values to choose from, and their texts. */
type Options = Array<string | [value: string | number, text: string]> | { [value: string]: string };

/** A filter above a list: its name is in the address. Without options it is a search. */
type Filter = { name: string; label: string; options?: Options };

/** A field of a form, or a group of fields. What else it has are attributes of its element. */
interface Field {
	label: string;
	/** In the form's values. */
	name?: string;
	/** At first: what was chosen stays when the form is shown again. */
	value?: string | number | undefined;
	/** Of a list, or of radio buttons. */
	options?: Options;
	hint?: string;
	fields?: Field[];
	onchange?: (event: { currentTarget: HTMLInputElement }) => unknown;
	oninput?: (event: { currentTarget: HTMLInputElement }) => unknown;
	[attribute: string]: unknown;
}

/** A form in a dialog. */
interface Form {
	title: string;
	text?: Children;
	fields?: Field[];
	/** Text of the button. */
	action: string;
	tone?: 'primary' | 'danger';
	/** Throws to say what is wrong. */
	submit: (values: { [name: string]: string }) => Promise<void>;
}
