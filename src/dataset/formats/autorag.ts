import { UserError } from '../../errors.ts'
import { QUERY } from '../../tables/roles.ts'
import { isMap, printedLists } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { column, DOCUMENT_COLUMNS, optional } from '../columns.ts'
import { defineFormat } from '../format.ts'
import { documentOf, textsOf } from '../mappers.ts'

const TABLES = /^(?:data\/)?[^/]+\.(?:parquet|csv)$/

/**
 * AutoRAG's folder (Marker-Inc-Korea/AutoRAG): `qa` with `qid, query, retrieval_gt, generation_gt` and `corpus` with `doc_id, contents,
 * metadata`, as Parquet or CSV. Of each inner list of `retrieval_gt` one document is needed.
 */
export const autorag = defineFormat({
  name: 'autorag',
  summary: 'a folder of AutoRAG: qa.parquet and corpus.parquet (or .csv), nested retrieval_gt',
  drops: 'prev_id, next_id and dates of the corpus',
  path: 'the folder',
  roles: {
    corpus: { name: 'corpus.parquet', path: TABLES, keys: ['doc_id', 'contents'], columns: DOCUMENT_COLUMNS },
    questions: {
      name: 'qa.parquet',
      path: TABLES,
      keys: ['retrieval_gt'],
      columns: {
        id: { ...QUERY, name: 'id' },
        text: column('query', ['query'], ['question']),
        gold: column('gold', ['retrieval_gt']),
        answers: optional(column('answer', ['generation_gt'])),
      },
    },
  },
  document({ metadata, ...values }, context) {
    const { metadata: _, ...document } = documentOf(values, context)
    const fields = Object.entries(isMap(metadata) ? metadata : {}).filter(
      ([name, value]) => value != null && !/datetime$|^(prev|next)_id$/.test(name),
    )
    const [path] = textsOf(context.fields.path)
    return {
      ...document,
      metadata: {
        ...(Object.fromEntries(fields) as Record<string, Json>),
        ...(path !== undefined && { path }),
      },
    }
  },
  question: ({ id, text, gold, answers }) => ({
    id,
    text: textsOf(text).join(' '),
    answers: textsOf(listIn(answers)),
    gold: goldOf(listIn(gold)),
  }),
})

function listIn(value: Json): Json {
  return typeof value === 'string' ? (printedLists(value) ?? value) : value
}

/** `[[a, b], [c]]`: one of a and b, and c; `[a, b]` and `a` as older versions write them. */
function goldOf(value: Json): (string | string[])[] {
  if (typeof value === 'string' && /^\s*(?:\[|array\()/.test(value))
    throw new UserError(`retrieval_gt is no readable list: ${JSON.stringify(value.slice(0, 60))}`)
  if (!Array.isArray(value)) return textsOf(value)
  return value.map((group: Json) => textsOf(group)).filter((group) => group.length > 0)
}
