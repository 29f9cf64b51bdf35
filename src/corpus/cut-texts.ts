import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Artifact, defineArtifact } from '../store/artifact.ts'

/** Counts of the texts that are longer than a model reads. */
export interface CutTexts {
  readonly model: string
  readonly limit: number
  readonly texts: number
  readonly cut: number
  /** Tokens of the cut texts, and those of them that are not read. */
  readonly tokens: number
  readonly unread: number
}

interface CutOptions {
  readonly prefix?: string | undefined
  readonly query?: string
}

const FILE = 'cut.json'

/** Counts the texts that a model cuts. `model` has a `reader`, its tokenizer and limit, which its key covers. */
export function cutTexts(
  texts: Artifact<readonly string[]>,
  model: Artifact<unknown>,
  { prefix = '', query }: CutOptions = {},
): Artifact<CutTexts> {
  return defineArtifact({
    name: 'cut_texts',
    version: 1,
    params: { prefix, query },
    inputs: { texts, model },
    async build(folder, inputs, { progress }) {
      const reader = await model.reader?.()
      if (!reader) throw new Error(`${model.name} has no reader`)
      const all = await inputs.texts()
      let [cut, tokens, unread] = [0, 0, 0]
      for (const [index, text] of all.entries()) {
        if (index % 1000 === 0) progress('counting cut texts', index, all.length)
        const whole = prefix + text
        // A token has at least one byte, so most texts need no tokenizer.
        if (Buffer.byteLength(whole + (query ?? '')) + reader.around <= reader.limit) continue
        const count = query === undefined ? reader.count(whole) : reader.count(query, whole)
        if (count <= reader.limit) continue
        cut++
        tokens += count
        unread += count - reader.limit
      }
      const { model: name, limit } = reader
      const counts: CutTexts = { model: name, limit, texts: all.length, cut, tokens, unread }
      writeFileSync(join(folder, FILE), `${JSON.stringify(counts)}\n`)
    },
    open: (folder) => JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as CutTexts,
  })
}
