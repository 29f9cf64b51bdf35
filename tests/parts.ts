import { loadParts } from '../src/config/parts.ts'
import { requestStop } from '../src/stopping.ts'

/** Test files share a process: a stop that a file's last test requests is not for the next file. */
requestStop(false)

/** Loads the built-in parts, which most tests use without a config. */
await loadParts()
