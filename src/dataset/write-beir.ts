import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requireOutputFolder } from '../store/output.ts'
import { makeFolder, writeRenamed } from '../store/write.ts'
import { tabCell } from '../tables/qrel-table.ts'
import { compareIds } from '../text/ids.ts'
import { spanId } from './collapse.ts'
import type { Dataset } from './types.ts'

/**
 * Writes a dataset as a BEIR folder that reads back with an equal hash. OR-groups are the fourth column of `qrels/test.tsv`; spans are
 * in `qrels/spans.tsv`. An existing folder with content is refused.
 */
export function writeBeir(dataset: Dataset, folder: string): void {
  const isThere = requireOutputFolder(folder)
  makeFolder(dirname(folder))
  writeRenamed(folder, (fresh) => {
    mkdirSync(fresh)
    writeFileSync(join(fresh, 'corpus.jsonl'), corpusLines(dataset))
    if (dataset.queries.length > 0) {
      mkdirSync(join(fresh, 'qrels'))
      writeFileSync(join(fresh, 'queries.jsonl'), queryLines(dataset))
      const qrelList = qrelLines(dataset)
      if (qrelList !== '') writeFileSync(join(fresh, 'qrels', 'test.tsv'), qrelList)
      // The header alone: no query is answerable.
      else if (dataset.judgedUnit !== 'span')
        writeFileSync(join(fresh, 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\n')
      if (dataset.judgedUnit === 'span') writeFileSync(join(fresh, 'qrels', 'spans.tsv'), spanLines(dataset))
    }
    // Refused by the system where something has been put there meanwhile.
    if (isThere) rmdirSync(folder)
  })
}

function corpusLines({ documents }: Dataset): string {
  return documents
    .map(({ id, title, text, metadata }) => {
      const extra = Object.keys(metadata).length > 0 ? { metadata } : {}
      return `${JSON.stringify({ _id: id, title, text, ...extra })}\n`
    })
    .join('')
}

function queryLines({ queries }: Dataset): string {
  return queries
    .map(({ id, text, metadata, category, answers, answerable, evidence }) => {
      const fields = {
        ...metadata,
        ...(category !== null && { category }),
        ...(answers.length > 0 && { answers }),
        ...(!answerable && { answerable }),
        ...(evidence && { evidence }),
      }
      return `${JSON.stringify({ _id: id, text, ...(Object.keys(fields).length > 0 && { metadata: fields }) })}\n`
    })
    .join('')
}

function qrelLines({ queries, qrels, groups, judgedUnit }: Dataset): string {
  const grouped = groups.size > 0 && judgedUnit !== 'span'
  const lines: string[] = []
  for (const { id } of queries) {
    const labelOf = labelsOf(groups.get(id))
    for (const [judged, grade] of [...(qrels.get(id) ?? [])].sort(([a], [b]) => compareIds(a, b)))
      lines.push(
        [id, judged, String(grade), ...(grouped ? [labelOf(judged)] : [])]
          .map((text) => tabCell(text))
          .join('\t'),
      )
  }
  if (lines.length === 0) return ''
  return `${['query-id', 'corpus-id', 'score', ...(grouped ? ['group'] : [])].join('\t')}\n${lines.join('\n')}\n`
}

function spanLines({ queries, spans, groups }: Dataset): string {
  const grouped = groups.size > 0
  const graded = [...spans.values()].some((list) => list.some(({ grade }) => grade !== undefined))
  const lines = queries.flatMap(({ id }) => {
    const labelOf = labelsOf(groups.get(id))
    return (spans.get(id) ?? []).map((span) => {
      const { documentId, start, end, grade } = span
      const group = grouped ? [labelOf(spanId(span))] : []
      const gradeCell = graded ? [grade === undefined ? '' : String(grade)] : []
      return [id, documentId, String(start), String(end), ...group, ...gradeCell]
        .map((text) => tabCell(text))
        .join('\t')
    })
  })
  return `query-id\tcorpus-id\tstart\tend${grouped ? '\tgroup' : ''}${graded ? '\tgrade' : ''}\n${lines.join('\n')}\n`
}

function labelsOf(groups: readonly (readonly string[])[] = []): (id: string) => string {
  const labels = new Map(groups.flatMap((ids, index) => ids.map((id) => [id, `g${index + 1}`])))
  return (id) => labels.get(id) ?? ''
}
