/** The types of htm with preact, which the sandbox serves under this name from node_modules. */
export * from 'htm/preact';
