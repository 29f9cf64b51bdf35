import { fileURLToPath } from 'node:url'

/** Command line that starts this installation of touchstone. */
export const THIS_COMMAND: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url)),
]
