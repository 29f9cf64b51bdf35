/** Exit codes, the same for every command. */
export const DONE = 0
export const BUG = 1
export const USER_ERROR = 2
/** What was asked to hold does not: scores that differ from expected ones. */
export const FAILED = 3
/** Ended by Ctrl-C, or by SIGTERM: 128 and the signal's number, as shells have it. The same command resumes. */
export const INTERRUPTED = 130
export const TERMINATED = 143
