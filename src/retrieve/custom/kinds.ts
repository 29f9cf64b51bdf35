import type { Chunker } from '../../corpus/chunks/chunkers/define.ts'
import type { Extractor } from '../../corpus/graph/extractors/define.ts'
import { hashReads, isReads, READS, type Reads } from '../../custom/files.ts'
import { createAsking, type Guard } from '../../custom/guard.ts'
import type { CustomFile, CustomKind } from '../../custom/load.ts'
import type { EmbedderDefinition } from '../../models/embedder.ts'
import type { Definition } from '../../registry.ts'
import type { Strategy } from '../strategies/define.ts'
import type { QueryTransform, RankingTransform } from '../transforms/define.ts'
import { type CustomEmbedder, readVectors } from './embedder.ts'
import { readExtraction, readPieces } from './read.ts'

/**
 * Kinds of custom definitions that a config may name by file, except metrics (src/custom/metric.ts). Each becomes a definition
 * like those of the registries, with guarded calls. Inputs are copied, so that custom code cannot change shared data.
 */

/** Optional keys of every custom definition. */
interface Timed {
  /** Seconds that a call may take. */
  readonly timeout?: number
}

/** Optional keys of a custom definition that is not made of steps. */
interface Reading extends Timed {
  /** Files that it reads: their content is part of every key. */
  readonly files?: Reads<never>
}

export const customStrategy = kind<Strategy, Omit<Strategy, 'files'> & Reading>(
  'strategy',
  ['source'],
  'retrieve',
  (strategy, guard, file) => ({
    ...strategy,
    files: reading(guard, file, strategy.files),
    retrieve: (input) =>
      guard.call(
        '`retrieve`',
        () => strategy.retrieve({ ...input, params: structuredClone(input.params) }),
        strategy.timeout,
      ),
  }),
)

export const customQueryTransform = customTransform<QueryTransform>('query')
export const customRankingTransform = customTransform<RankingTransform>('ranking')

function customTransform<T extends QueryTransform | RankingTransform>(is: T['kind']): CustomKind<T> {
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

export const customChunker = kind<Chunker, Chunker & Reading>(
  'chunker',
  [],
  'split',
  (chunker, guard, file) => {
    const { name, summary, params, timeout, files } = chunker
    const asking = createAsking(guard, file.path, timeout)
    return {
      name,
      summary,
      params,
      version: 1,
      code: file.sha256,
      files: reading(guard, file, files),
      split(document, params) {
        const what = `\`split\` on the document ${document.id}`
        const pieces = asking.now(what, () =>
          chunker.split(structuredClone(document), structuredClone(params)),
        )
        return readPieces(pieces, document, { file, what })
      },
    }
  },
)

export const customEmbedder = kind<EmbedderDefinition, CustomEmbedder & Reading>(
  'embedder',
  [],
  'embed',
  (embedder, guard, file) => {
    const { name, summary, params, timeout, files } = embedder
    const asking = createAsking(guard, file.path, timeout)
    const hashes = reading(guard, file, files)
    return {
      name,
      summary,
      params,
      code: file.sha256,
      batch: 256,
      files: hashes,
      artifact: (params) =>
        readVectors(name, { ...file, reads: hashes?.(params) }, params, (texts) =>
          asking.later('`embed`', () => embedder.embed([...texts], structuredClone(params))),
        ),
    }
  },
)

export const customExtractor = kind<Extractor, Omit<Extractor, 'files'> & Reading>(
  'extractor',
  [],
  'extract',
  (extractor, guard, file) => {
    const { name, summary, params, timeout, files } = extractor
    const asking = createAsking(guard, file.path, timeout)
    return {
      name,
      summary,
      params,
      version: 1,
      code: file.sha256,
      files: reading(guard, file, files),
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

/** Hashes of the files that a definition reads, by params; undefined if it names none. */
function reading(
  guard: Guard,
  file: CustomFile,
  files: Reads<never> | undefined,
): ((params: unknown) => Readonly<Record<string, string>>) | undefined {
  if (files === undefined) return undefined
  return (params) =>
    guard.call('`files`', () => hashReads(file, files as Reads<unknown>, structuredClone(params)))
}

/** A kind whose definitions have a name, a summary, params, more `texts`, the function `called`, and say that they are one (`is`). */
function kind<D extends Definition, Given = D>(
  word: string,
  texts: readonly string[],
  called: string,
  define: (given: Given, ...more: Tail<Parameters<CustomKind<D>['define']>>) => D,
  is?: 'query' | 'ranking',
): CustomKind<D> {
  return {
    word,
    keys: [
      ...(is ? ['kind'] : []),
      'name',
      'summary',
      ...texts,
      'params',
      called,
      'timeout',
      // A transform is made of steps, and a step says itself what it reads.
      ...(is ? [] : ['files']),
    ],
    example: `export default { ${[...(is ? [`kind: '${is}'`] : []), 'name', 'summary', ...texts, 'params', called].join(', ')} }`,
    toolkit: async (guard, file) => (await import('./toolkit.ts')).toolkitOf(guard, file),
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
      ...(is || isReads(found.files) ? [] : [READS]),
    ],
    define: (exported, ...more) => define(exported as Given, ...more),
  }
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never

/** Checks for methods, not for a class: the file may bring its own copy of zod. */
function isObjectSchema(value: unknown): boolean {
  const schema = value as { shape?: unknown; safeParse?: unknown } | undefined
  return typeof schema?.shape === 'object' && typeof schema.safeParse === 'function'
}
