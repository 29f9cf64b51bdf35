import { indexedTexts } from '../../corpus/chunks/units.ts'
import { type Embeddings, embedTexts } from '../../corpus/dense/embeddings.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankPairs } from '../../ranking/order.ts'
import type { Artifact, Inputs, Lazy } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import type { EngineIndex } from '../define.ts'
import {
  type ExistingFields,
  type ExistingReader,
  existingIds,
  existingTexts,
  requireCorpus,
  rowsOfIds,
} from '../existing.ts'
import { engineIndex } from '../stored.ts'
import { ask, type Client, countIn, openClient, versionOf, withClient } from './client.ts'
import { type Clause, cosine, exactQuery, graphQuery, type Hit, searched, wordsQuery } from './search.ts'

/** An index of OpenSearch that was there before. It is read alone. */

export function existingTextIndex(
  recipe: Recipe,
  urlEnv: string,
  fields: ExistingFields,
): Artifact<EngineIndex<string>> {
  const { textField } = fields
  return existingIndex({
    ...{ name: 'opensearch-text', urlEnv, fields, params: { textField } },
    inputs: { ids: existingIds(recipe), texts: existingTexts(recipe) },
    requireField: ({ type }, fail) => {
      if (type !== 'text') fail(textField, `${type ?? 'missing'}, not text`)
    },
    field: textField,
    contentOf: async ({ texts }) => ({ texts: await texts() }),
    asking: (text, _depth, _how, filter) => wordsQuery(textField, text, filter),
    scoreOf: (score) => score,
  })
}

export function existingVectorIndex(
  recipe: Recipe,
  urlEnv: string,
  fields: ExistingFields,
  isGraph: boolean,
): Artifact<EngineIndex<Float32Array>> {
  const { vectorField } = fields
  return existingIndex({
    ...{ name: 'opensearch', urlEnv, fields, params: { vectorField, isGraph } },
    inputs: { ids: existingIds(recipe), embeddings: embedTexts(recipe, 'chunks', indexedTexts(recipe)) },
    requireField: ({ type, dimension, space_type, method }, fail, content) => {
      if (type !== 'knn_vector') return fail(vectorField, `${type ?? 'missing'}, not knn_vector`)
      const { dims = 0, model = '' } = content.embeddings ?? {}
      if (dimension !== dims) fail(vectorField, `of dimension ${dimension}, and ${model} has ${dims}`)
      const space = method?.space_type ?? space_type ?? 'l2'
      if (isGraph && space !== 'cosinesimil')
        fail(vectorField, `a graph of the space ${space}, not cosinesimil; \`index: exact\` needs no graph`)
    },
    field: vectorField,
    contentOf: async ({ embeddings }) => ({ embeddings: await embeddings() }),
    asking: (vector, depth, how, filter) =>
      isGraph ? graphQuery(vectorField, vector, depth, how, filter) : exactQuery(vectorField, vector, filter),
    scoreOf: cosine,
  })
}

interface Field {
  readonly type?: string
  readonly dimension?: number
  readonly space_type?: string
  readonly method?: { readonly space_type?: string }
  readonly properties?: Readonly<Record<string, Field>>
  readonly fields?: Readonly<Record<string, Field>>
}

interface Content {
  readonly texts?: readonly (readonly string[])[]
  readonly embeddings?: Embeddings
}

type WithIds = Inputs & { readonly ids: Artifact<readonly string[]> }

interface ExistingDefinition<I extends WithIds, Q> {
  readonly name: string
  readonly urlEnv: string
  readonly fields: ExistingFields
  readonly params: Readonly<Record<string, Json>>
  readonly inputs: I
  readonly field: string
  /** Calls `fail` if the mapping of the field does not fit. */
  requireField(field: Field, fail: (field: string, what: string) => void, content: Content): void
  contentOf(inputs: Lazy<I>): Promise<Content>
  asking(query: Q, depth: number, how: Json, filter: readonly Clause[]): { readonly query: Clause }
  scoreOf(score: number): number
}

function existingIndex<I extends WithIds, Q>({
  name,
  urlEnv,
  fields: { existing, idField },
  params,
  inputs,
  field,
  requireField,
  contentOf,
  asking,
  scoreOf,
}: ExistingDefinition<I, Q>): Artifact<EngineIndex<Q>> {
  const who = `the index ${existing} of the server in ${urlEnv}`
  const { filterOf, idOf, fieldsOf } = idsBy(idField)
  return engineIndex<I, Q>({
    ...{
      name,
      kind: 'opensearch',
      place: { urlEnv },
      params: { existing, idField, ...params },
      inputs,
      existing,
    },
    load: (_index, lazy, progress) =>
      withClient(urlEnv, async (client) => {
        const content = await contentOf(lazy)
        const ids = await (lazy as Lazy<WithIds>).ids()
        const { body } = await ask(urlEnv, () => client.indices.getMapping({ index: existing }))
        const mappings = Object.values(body) as unknown as { mappings: Field }[]
        if (mappings.length !== 1)
          throw new UserError(`${who} is an alias of ${mappings.length} indexes; name one of them`)
        const problems: string[] = []
        const fail = (of: string, what: string) => problems.push(`${who}: the field ${of} is ${what}`)
        requireField(fieldAt(mappings[0].mappings, field), fail, content)
        if (problems.length > 0) throw new UserError(problems.map((message) => ({ message })))
        await requireCorpus(
          readerOf(client, who, urlEnv, { existing, idField, field }),
          ids,
          content,
          progress,
        )
        return ids.length
      }),
    version: () => versionOf(urlEnv),
    isGone: async () => false,
    async open(_index, rows, lazy) {
      const ids = await (lazy as Lazy<WithIds>).ids()
      const rowOf = rowsOfIds(who, ids)
      const client = await openClient(urlEnv)
      const there = await countIn(client, urlEnv, existing)
      if (there !== rows) {
        await client.close()
        throw new UserError(
          `${who} holds ${there} documents, and had ${rows as number} when it was checked; delete the store's folder ${name}, and prepare again`,
        )
      }
      return {
        async search(query, depth, how, within?: Mask) {
          const filter = within ? [filterOf(Array.from(within.rows, (row) => ids[row]))] : []
          const request = { ...asking(query, depth, how, filter), ...fieldsOf }
          const { hits, took } = await searched(client, urlEnv, existing, request, depth)
          const scores = hits.map(({ _score }) => scoreOf(_score))
          return {
            ...rankPairs(
              hits.map((hit) => rowOf(idOf(hit))),
              scores,
              depth,
            ),
            took,
          }
        },
        close: () => client.close(),
      }
    },
  })
}

/** Filter by ids, and the id of a hit. */
function idsBy(idField: string) {
  const isOwn = idField === '_id'
  return {
    filterOf: (ids: readonly string[]): Clause =>
      isOwn ? { ids: { values: ids } } : { terms: { [idField]: ids } },
    idOf: ({ _id, fields }: Hit) => (isOwn ? _id : String(fields?.[idField]?.[0])),
    fieldsOf: isOwn ? {} : { docvalue_fields: [idField] },
  }
}

/** Reads documents by id; the content of `field` too, if asked for. */
function readerOf(
  client: Client,
  name: string,
  urlEnv: string,
  { existing, idField, field }: { existing: string; idField: string; field: string },
): ExistingReader {
  const { filterOf, idOf, fieldsOf } = idsBy(idField)
  return {
    name,
    count: () => countIn(client, urlEnv, existing),
    async read(ids, withContent) {
      if (ids.length === 0) return new Map()
      const { body } = await ask(urlEnv, () =>
        client.search({
          index: existing,
          body: {
            ...{ size: ids.length, query: { bool: { filter: [filterOf(ids)] } }, ...fieldsOf },
            _source: withContent ? [field] : false,
          } as never,
        }),
      )
      const hits = body.hits.hits as unknown as (Hit & { _source?: Record<string, unknown> })[]
      return new Map(
        hits.map((hit) => {
          const value = valueAt(hit._source ?? {}, field)
          return [idOf(hit), typeof value === 'string' ? { text: value } : { vector: value as number[] }]
        }),
      )
    },
  }
}

/** Mapping of a field, by its name with dots. */
function fieldAt(mapping: Field, name: string): Field {
  return name.split('.').reduce((at, part) => at.properties?.[part] ?? at.fields?.[part] ?? {}, mapping)
}

function valueAt(source: Readonly<Record<string, unknown>>, name: string): unknown {
  if (name in source) return source[name]
  return name
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], source)
}
