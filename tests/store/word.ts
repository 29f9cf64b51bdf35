import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Artifact, defineArtifact } from '../../src/store/artifact.ts'

/** An artifact of one file; `built` is called when all but its record is written. */
export function word(text = 'gold', built: () => void | Promise<void> = () => {}): Artifact<string> {
  return defineArtifact({
    name: 'word',
    version: 1,
    params: { text },
    inputs: {},
    async build(folder) {
      writeFileSync(join(folder, 'word.txt'), text)
      await built()
    },
    open: (folder) => readFileSync(join(folder, 'word.txt'), 'utf8'),
  })
}
