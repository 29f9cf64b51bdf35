/** Exit codes, the same for every command. */
export const DONE = 0
export const BUG = 1
export const MISTAKE = 2
/** Interrupted; the same command resumes. */
export const INTERRUPTED = 130
