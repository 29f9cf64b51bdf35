import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import type { EngineIndex } from '../define.ts'
import {
  type Content,
  dimsProblems,
  type ExistingFields,
  type ExistingIndex,
  existingIndex,
} from '../existing.ts'
import { ask, type Client, countIn, openClient } from './client.ts'
import { type Clause, cosine, exactQuery, graphQuery, type Hit, searched, wordsQuery } from './search.ts'

/** An index of OpenSearch that was there before. It is read alone. */

export function existingTextIndex(
  recipe: Recipe,
  urlEnv: string,
  { existing, idField, textField }: ExistingFields,
): Artifact<EngineIndex<string>> {
  return existingIndex({
    ...of(recipe, 'opensearch-text', urlEnv, existing, { idField, textField }),
    holds: 'texts',
    connect: () =>
      openExisting(urlEnv, existing, idField, textField, {
        problemsOf: ({ type }) =>
          type === 'text' ? [] : [`has a field ${textField} of the type ${type ?? 'none'}, not text`],
        asking: (text, _depth, _how, filter) => wordsQuery(textField, text, filter),
        scoreOf: (score) => score,
      }),
  })
}

export function existingVectorIndex(
  recipe: Recipe,
  urlEnv: string,
  { existing, idField, vectorField }: ExistingFields,
  isGraph: boolean,
): Artifact<EngineIndex<Float32Array>> {
  const problemsOf = ({ type, dimension, space_type, method }: Field, content: Content): string[] => {
    if (type !== 'knn_vector')
      return [`has a field ${vectorField} of the type ${type ?? 'none'}, not knn_vector`]
    const space = method?.space_type ?? space_type ?? 'l2'
    const other = `has a graph of the space ${space} in the field ${vectorField}, not cosinesimil; \`index: exact\` needs no graph`
    return [...dimsProblems(dimension, content), ...(isGraph && space !== 'cosinesimil' ? [other] : [])]
  }
  return existingIndex({
    ...of(recipe, 'opensearch', urlEnv, existing, { idField, vectorField, isGraph }),
    holds: 'vectors',
    connect: () =>
      openExisting(urlEnv, existing, idField, vectorField, {
        problemsOf,
        asking: (vector, depth, how, filter) =>
          isGraph
            ? graphQuery(vectorField, vector, depth, how, filter)
            : exactQuery(vectorField, vector, filter),
        scoreOf: cosine,
      }),
  })
}

const of = (
  recipe: Recipe,
  name: string,
  urlEnv: string,
  existing: string,
  params: Readonly<Record<string, Json>>,
) => ({
  ...{ recipe, name, kind: 'opensearch', place: { urlEnv }, existing, params },
  who: `the index ${existing} of the server in ${urlEnv}`,
})

interface Field {
  readonly type?: string
  readonly dimension?: number
  readonly space_type?: string
  readonly method?: { readonly space_type?: string }
  readonly properties?: Readonly<Record<string, Field>>
  readonly fields?: Readonly<Record<string, Field>>
}

interface Side<Q> {
  /** Differences of the field's mapping to the content. */
  problemsOf(field: Field, content: Content): string[]
  asking(query: Q, depth: number, how: Json, filter: readonly Clause[]): { readonly query: Clause }
  scoreOf(score: number): number
}

async function openExisting<Q>(
  urlEnv: string,
  index: string,
  idField: string,
  field: string,
  { problemsOf, asking, scoreOf }: Side<Q>,
): Promise<ExistingIndex<Q>> {
  const client: Client = await openClient(urlEnv)
  const request = <T>(send: () => Promise<T>) => ask(urlEnv, send)
  const { filterOf, idOf, fieldsOf } = idsBy(idField)
  return {
    async problems(content) {
      const { body } = await request(() => client.indices.getMapping({ index }))
      const mappings = Object.values(body) as unknown as { mappings: Field }[]
      if (mappings.length !== 1) return [`is an alias of ${mappings.length} indexes; name one of them`]
      return problemsOf(fieldAt(mappings[0].mappings, field), content)
    },
    count: () => countIn(client, urlEnv, index),
    async identity() {
      const { body } = await request(() => client.info())
      const { body: settings } = await request(() => client.indices.getSettings({ index }))
      const uuids = Object.values(settings).map((one) => one.settings?.index?.uuid ?? null)
      return [body.cluster_uuid, ...uuids]
    },
    async read(ids, withContent) {
      if (ids.length === 0) return new Map()
      const { body } = await request(() =>
        client.search({
          index,
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
    async search(query, depth, how, ids) {
      const asked = { ...asking(query, depth, how, ids ? [filterOf(ids)] : []), ...fieldsOf }
      const { hits, took } = await searched(client, urlEnv, index, asked, depth)
      return { ids: hits.map(idOf), scores: hits.map(({ _score }) => scoreOf(_score)), took }
    },
    version: async () => (await request(() => client.info())).body.version.number,
    close: () => client.close(),
  }
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
