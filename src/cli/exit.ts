/** Exit codes, the same for every command. */
export const DONE = 0
export const BUG = 1
export const USER_ERROR = 2
/** A check failed, such as scores that differ from expected ones. */
export const FAILED = 3
/** Ended by Ctrl-C or SIGTERM: 128 plus the signal's number. The same command resumes. */
export const INTERRUPTED = 130
export const TERMINATED = 143
