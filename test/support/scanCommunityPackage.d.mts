/** The part of n8n's scanner the tests use; it ships without types. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** Globs of the files the scanner reads in a source checkout. */
	export const SOURCE_FILE_PATTERNS: string[];
	/** Lints a package's files with n8n's rules; `details` says what it found, as text. */
	export function analyzePackage(
		packageDir: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
