import { fileURLToPath } from 'node:url'

/** What starts this installation of touchstone, wherever the folder is. */
export const THIS_COMMAND: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url)),
]
