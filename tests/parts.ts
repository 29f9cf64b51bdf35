import { loadParts } from '../src/config/parts.ts'

/** Loads the built-in parts, which most tests use without a config. */
await loadParts()
