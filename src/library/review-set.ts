import { dirname, relative, resolve } from 'node:path'
import { relevantSpans } from '../dataset/collapse.ts'
import { loadDataset } from '../dataset/load.ts'
import { withQueries } from '../dataset/sample.ts'
import type { Dataset } from '../dataset/types.ts'
import { writeBeir } from '../dataset/write-beir.ts'
import { UserError } from '../errors.ts'
import { cacheFolder } from '../hub/cache.ts'
import type { LabelsFolder } from '../labels/folder.ts'
import { type ReviewedQuestion, type ReviewSet, reviewOutcomes } from '../labels/review.ts'
import { hashFile, readText } from '../store/input.ts'
import { datasetOf, type Place } from './open-config.ts'

/** Characters of context on each side of gold. */
const AROUND = 600

/** Questions to review, with their gold in context. `folder` is the labels folder. */
export async function reviewSet(place: Place, source: string, folder: string): Promise<ReviewSet> {
  const choice = await datasetOf(place, source)
  const base = dirname(resolve(place.folder, source))
  const dataset = await loadDataset(choice, base, { cache: cacheFolder(place.env) })
  if (dataset.queries.length === 0)
    throw new UserError('has no questions to review; `touchstone questions draft` drafts some', source)
  const { questions } = choice.params
  const file = typeof questions === 'string' ? resolve(base, questions) : null
  return {
    touchstone: 'review',
    format: 1,
    dataset: dataset.name,
    hash: dataset.hash,
    questions: file && relative(folder, file),
    file: file && hashFile(file),
    items: itemsOf(dataset),
  }
}

function itemsOf({ documents, queries, qrels, spans, judgedUnit }: Dataset): ReviewedQuestion[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const goldOf = (id: string) =>
    judgedUnit === 'span'
      ? relevantSpans(spans.get(id))
      : [...(qrels.get(id) ?? [])].flatMap(([documentId, grade]) =>
          grade >= 1 && byId.has(documentId) ? [{ documentId, start: 0, end: AROUND }] : [],
        )
  return queries.map(({ id, text, category, answers, answerable }) => ({
    id,
    text,
    category,
    answers: [...answers],
    answerable,
    gold: goldOf(id).map(({ documentId, start, end }) => {
      const { title = '', text: whole = '' } = byId.get(documentId) ?? {}
      return {
        document: documentId,
        title,
        text: whole.slice(start, end),
        before:
          start > AROUND
            ? whole.slice(start - AROUND, start).replace(/^\S{0,40}\s/, '… ')
            : whole.slice(0, start),
        after:
          end + AROUND < whole.length
            ? whole.slice(end, end + AROUND).replace(/\s\S{0,40}$/, ' …')
            : whole.slice(end),
      }
    }),
  }))
}

/**
 * Accepted questions as edited: text of a questions file, or a writer of a BEIR folder. Throws a UserError if the questions have changed
 * since the review began, or if none is accepted.
 */
export async function acceptedQuestions(place: Place, labels: LabelsFolder, source: string | undefined) {
  const { review, folder, logs } = labels
  if (!review) throw new UserError('has no questions to review; `touchstone labels review` adds them', folder)
  const outcomes = reviewOutcomes(review, logs)
  const count = (verdict: string) =>
    [...outcomes.values()].filter((outcome) => outcome.verdict === verdict).length
  const counts = { accepted: count('accepted'), rejected: count('rejected'), unreviewed: count('unreviewed') }
  if (counts.accepted === 0)
    throw new UserError(
      `no question is accepted: ${counts.rejected} rejected, ${counts.unreviewed} not reviewed`,
      folder,
    )
  if (review.questions !== null && /\.jsonl$/i.test(review.questions)) {
    const file = resolve(folder, review.questions)
    if (hashFile(file) !== review.file)
      throw new UserError('has changed since its review began; review it in a new folder', file)
    return { counts, lines: acceptedLines(readText(file), outcomes), writeBeir(_out: string) {} }
  }
  if (source === undefined)
    throw new UserError('--to questions: name the config or dataset that was reviewed behind the folder')
  const dataset = await loadDataset(await datasetOf(place, source), dirname(resolve(place.folder, source)))
  if (dataset.hash !== review.hash)
    throw new UserError('has changed since its review began; review it in a new folder', source)
  const queries = dataset.queries.flatMap((query) => {
    const outcome = outcomes.get(query.id)
    return outcome?.verdict === 'accepted'
      ? [{ ...query, text: outcome.text, metadata: { ...query.metadata, reviewed: outcome.by.join(', ') } }]
      : []
  })
  return { counts, lines: null, writeBeir: (out: string) => writeBeir(withQueries(dataset, queries), out) }
}

function acceptedLines(text: string, outcomes: ReturnType<typeof reviewOutcomes>): string {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const fields = JSON.parse(line)
      const outcome = outcomes.get(String(fields._id))
      if (outcome?.verdict !== 'accepted') return []
      const metadata = { ...fields.metadata, reviewed: outcome.by.join(', ') }
      return [`${JSON.stringify({ ...fields, text: outcome.text, metadata })}\n`]
    })
    .join('')
}
