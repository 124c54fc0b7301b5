/** Longer than the nodes remember what a publish did. */
const LATER_MS = 61_000;

const realNow = Date.now.bind(Date);
let passedMs = 0;

/** Lets a minute pass for code that reads the time, so that the next hook belongs to another publish. */
export function letTimePass(): void {
	passedMs += LATER_MS;
	Date.now = () => realNow() + passedMs;
}
