import fc from 'fast-check';

/** Expects a property of any value that fast-check makes. */
export async function forAny<Value>(
	values: fc.Arbitrary<Value>,
	property: (value: Value) => Promise<void> | void,
	parameters: fc.Parameters<[Value]> = {},
): Promise<void> {
	await fc.assert(
		fc.asyncProperty(values, async (value) => await property(value)),
		parameters,
	);
}
