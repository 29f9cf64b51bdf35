import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { type Artifact, defineArtifact, type Inputs, type Lazy } from '../store/artifact.ts'
import type { Json } from '../types.ts'
import type { EngineIndex, Place } from './define.ts'

/** File of an artifact that names its index in an engine. */
const FILE = 'engine.json'

const RECORD = z.object({
  kind: z.string(),
  place: z.record(z.string(), z.string()),
  index: z.string().regex(/^touchstone_[0-9a-f]{32}$/),
  /** Version of the engine when the index was loaded. */
  version: z.string(),
  facts: z.custom<Json>((value) => value !== undefined),
})
type StoredIndex = z.output<typeof RECORD>

interface IndexDefinition<I extends Inputs, Q> {
  readonly name: string
  readonly kind: string
  readonly place: Place
  readonly params: Json
  readonly inputs: I
  /** Loads the index. Returns facts that `open` compares with the engine. */
  load(index: string, inputs: Lazy<I>, progress: (done: number, total: number) => void): Promise<Json>
  /** Version of the engine. */
  version(): Promise<string>
  /** True if the engine answers and has no such index. */
  isGone(index: string): Promise<boolean>
  open(index: string, facts: Json): Promise<EngineIndex<Q>>
}

/**
 * Index of one corpus in an engine, as an artifact: `prepare` loads it, and loads it again if the engine has lost it. The store
 * holds its name, its place and no credentials. The place is no part of the key.
 */
export function engineIndex<I extends Inputs, Q>(
  definition: IndexDefinition<I, Q>,
): Artifact<EngineIndex<Q>> {
  const { name, kind, place, params, inputs } = definition
  const artifact: Artifact<EngineIndex<Q>> = defineArtifact({
    ...{ name, version: 2, params, inputs },
    async build(folder, lazy, { progress }) {
      const index = `touchstone_${artifact.key.slice(0, 32)}`
      const facts = await definition.load(index, lazy, (done, total) => progress(name, done, total))
      const version = await definition.version()
      const record: StoredIndex = { kind, place, index, version, facts }
      writeFileSync(join(folder, FILE), JSON.stringify(record))
    },
    holder(folder) {
      const version = storedIndex(folder)?.version
      return version && `${kind} ${version}`
    },
    async isGone(folder) {
      const record = storedIndex(folder)
      if (!record) return false
      // A server that is down has lost nothing yet: the search says that it does not answer.
      return definition.isGone(record.index).catch(unlessUserError(false))
    },
    open(folder) {
      const { index, facts } = RECORD.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
      let opened: Promise<EngineIndex<Q>> | undefined
      return {
        async search(query, depth, how, within) {
          opened ??= definition.open(index, facts)
          return (await opened).search(query, depth, how, within)
        },
        async close() {
          await opened?.then((open) => open.close()).catch(() => {})
        },
      }
    },
    close: (index) => index.close(),
  })
  return artifact
}

const unlessUserError =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof UserError) return value
    throw error
  }

/** Index that an artifact's folder names; undefined if it names none. */
export function storedIndex(folder: string): StoredIndex | undefined {
  const file = join(folder, FILE)
  if (!existsSync(file)) return undefined
  try {
    return RECORD.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
