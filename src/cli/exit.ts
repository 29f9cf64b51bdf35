/** Exit codes, the same for every command. */
export const DONE = 0
export const BUG = 1
export const MISTAKE = 2
/** What was asked to hold does not: scores that differ from expected ones. */
export const FAILED = 3
/** Interrupted; the same command resumes. */
export const INTERRUPTED = 130
