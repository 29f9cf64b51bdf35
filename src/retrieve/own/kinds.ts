import type { Extractor } from '../../graph/extractors/define.ts'
import type { EmbedderDefinition } from '../../models/embedder.ts'
import { createAsking } from '../../own/guard.ts'
import type { OwnKind } from '../../own/load.ts'
import type { Chunker } from '../../prepare/chunkers/define.ts'
import type { Definition } from '../../registry.ts'
import type { Strategy } from '../strategies/define.ts'
import type { QueryTransform, RankingTransform } from '../transforms/define.ts'
import { type OwnEmbedder, readVectors } from './embedder.ts'
import { readExtraction, readPieces } from './read.ts'
import { toolkitOf } from './toolkit.ts'

/**
 * What a config may name by file beside metrics (src/own/metric.ts): a definition as the registries hold them, its calls
 * guarded. What goes in is copied, so that somebody's code changes nothing that others read.
 */

/** What a definition from a file may say beside its kind's own keys. */
interface Timed {
  /** Seconds that a call may take. */
  readonly timeout?: number
}

export const ownStrategy = kind<Strategy, Strategy & Timed>(
  'strategy',
  ['source'],
  'retrieve',
  (strategy, guard) => ({
    ...strategy,
    retrieve: (input) =>
      guard.call(
        '`retrieve`',
        () => strategy.retrieve({ ...input, params: structuredClone(input.params) }),
        strategy.timeout,
      ),
  }),
)

export const ownQueryTransform = ownTransform<QueryTransform>('query')
export const ownRankingTransform = ownTransform<RankingTransform>('ranking')

function ownTransform<T extends QueryTransform | RankingTransform>(is: T['kind']): OwnKind<T> {
  return kind<T, T & Timed>(
    `${is} transform`,
    ['source'],
    'apply',
    (transform, guard) => ({
      ...transform,
      apply: (input: Parameters<T['apply']>[0]) =>
        guard.call(
          '`apply`',
          () => transform.apply({ ...input, params: structuredClone(input.params) } as never),
          transform.timeout,
        ),
    }),
    is,
  )
}

export const ownChunker = kind<Chunker, Chunker & Timed>('chunker', [], 'split', (chunker, guard, file) => {
  const { name, summary, params, timeout } = chunker
  const asking = createAsking(guard, file.path, timeout)
  return {
    ...{ name, summary, params, version: 1, code: file.sha256 },
    split(document, params) {
      const what = `\`split\` on the document ${document.id}`
      const pieces = asking.now(what, () => chunker.split(structuredClone(document), structuredClone(params)))
      return readPieces(pieces, document, { file, what })
    },
  }
})

export const ownEmbedder = kind<EmbedderDefinition, OwnEmbedder & Timed>(
  'embedder',
  [],
  'embed',
  (embedder, guard, file) => {
    const { name, summary, params, timeout } = embedder
    const asking = createAsking(guard, file.path, timeout)
    return {
      ...{ name, summary, params, code: file.sha256, batch: 256 },
      artifact: (params) =>
        readVectors(name, file, params, (texts) =>
          asking.later('`embed`', () => embedder.embed([...texts], structuredClone(params))),
        ),
    }
  },
)

export const ownExtractor = kind<Extractor, Extractor & Timed>(
  'extractor',
  [],
  'extract',
  (extractor, guard, file) => {
    const { name, summary, params, timeout } = extractor
    const asking = createAsking(guard, file.path, timeout)
    return {
      ...{ name, summary, params, version: 1, code: file.sha256 },
      async extract(input, params) {
        const what = '`extract`'
        const found = await asking.later(what, () =>
          extractor.extract(structuredClone(input), structuredClone(params)),
        )
        return readExtraction(found, input.chunks.length, { file, what })
      },
    }
  },
)

/** A kind of which every definition has a name, a summary, params, more `texts`, the function `called`, and says that it `is` one. */
function kind<D extends Definition, Given = D>(
  word: string,
  texts: readonly string[],
  called: string,
  define: (given: Given, ...more: Tail<Parameters<OwnKind<D>['define']>>) => D,
  is?: 'query' | 'ranking',
): OwnKind<D> {
  return {
    word,
    example: `export default { ${[...(is ? [`kind: '${is}'`] : []), 'name', 'summary', ...texts, 'params', called].join(', ')} }`,
    toolkit: toolkitOf,
    lacks: (found) => [
      ...['name', 'summary', ...texts]
        .filter((key) => typeof found[key] !== 'string')
        .map((key) => `${key} (text)`),
      ...(is === undefined || found.kind === is ? [] : [`kind ('${is}')`]),
      ...(typeof found.name === 'string' && !/^\S+$/.test(found.name) ? ['name (one word)'] : []),
      ...(isObjectSchema(found.params) ? [] : ['params (z.strictObject({...}))']),
      ...(typeof found[called] === 'function' ? [] : [`${called} (a function)`]),
      ...(found.timeout === undefined || (typeof found.timeout === 'number' && found.timeout > 0)
        ? []
        : ['timeout (seconds, above 0)']),
    ],
    define: (exported, ...more) => define(exported as Given, ...more),
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never

/** By what it can do, not by its class: the file may bring its own copy of zod. */
function isObjectSchema(value: unknown): boolean {
  const schema = value as { shape?: unknown; safeParse?: unknown } | undefined
  return typeof schema?.shape === 'object' && typeof schema.safeParse === 'function'
}
