import type { FrozenLabel, FrozenLabels, LabelsHeader } from '../dataset/labels-file.ts'
import { UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import type { Agreement } from './agreement.ts'
import { type AgreementTable, agreementTable, finalGrade, gradedPairs } from './final.ts'
import { type LabelsFolder, labellersOf, requirePool } from './folder.ts'

interface FreezeOptions {
  readonly relevant: number
  readonly models: readonly string[]
}

/** Labels of people and a model that a model must share with people before its labels may be used. */
const SHARED_LABELS = 30

/**
 * Final labels of a pool as a file that a dataset reads. A model's label counts only where no person labelled, and only if the model
 * shares 30 labels with people. Passages on whose relevance people disagree have no label.
 */
export function freezeLabels(labels: LabelsFolder, { relevant, models }: FreezeOptions): FrozenLabels {
  const pool = requirePool(labels)
  const people = labellersOf(labels, 'person')
  const graded = gradedPairs(pool, labels.logs)
  const table = agreementTable(graded, people, models, relevant)
  requireMeasured(labels, models, table)
  const texts = new Map(pool.queries.map(({ id, text }) => [id, text]))
  const counts = new Map<string, number>()
  const frozen: FrozenLabel[] = []
  let conflicts = 0
  for (const pair of graded) {
    const { document, chunk, start, end, text } = pair.passage
    const byPeople = finalGrade(pair, (name) => people.includes(name), relevant)
    const isModels = byPeople === undefined
    const grade = isModels ? finalGrade(pair, (name) => models.includes(name), relevant) : byPeople
    if (grade === null) conflicts++
    if (grade === null || grade === undefined) continue
    for (const name of pair.grades.keys())
      if (isModels ? models.includes(name) : people.includes(name))
        counts.set(name, (counts.get(name) ?? 0) + 1)
    const question = texts.get(pair.query) ?? ''
    frozen.push({ query: pair.query, question, document, chunk, start, end, text: sha256(text), grade })
  }
  if (frozen.length === 0) throw noLabel(labels.folder, conflicts)
  return { header: headerOf(labels, { relevant, models }, table, { counts, conflicts }), labels: frozen }
}

export function noLabel(folder: string, conflicts = 0): UserError {
  const message =
    conflicts > 0
      ? `labellers disagree on all ${conflicts} passages, so there is no label to export`
      : 'has no label of a person to export; label passages: `touchstone view --labels FOLDER`'
  return new UserError(message, folder)
}

function headerOf(
  labels: LabelsFolder,
  { relevant, models }: FreezeOptions,
  table: AgreementTable,
  { counts, conflicts }: { readonly counts: ReadonlyMap<string, number>; readonly conflicts: number },
): LabelsHeader {
  const { experiment, result, k, trials, audit, queries } = requirePool(labels)
  const used = labels.logs.filter(
    ({ header }) => header.kind === 'person' || models.includes(header.labeller),
  )
  return {
    touchstone: 'labels',
    format: 1,
    experiment,
    result,
    k,
    trials,
    relevant,
    labellers: used
      .filter(({ header }) => counts.has(header.labeller))
      .map(({ header: { labeller, kind } }) => ({
        name: labeller,
        kind,
        labels: counts.get(labeller) ?? 0,
        kappa: tripleOf(table.models.find(({ model }) => model === labeller)?.relevance),
      })),
    kappa: tripleOf(table.all?.relevance),
    conflicts,
    pooled: queries.reduce((sum, { passages }) => sum + passages.length, 0),
    ...(audit && { corrects: true as const }),
  }
}

/** Kappa with its interval, to three digits; null if it is unknown. */
function tripleOf(agreement: Agreement | undefined): [number, number, number] | null {
  if (!agreement || [agreement.kappa, agreement.low, agreement.high].some(Number.isNaN)) return null
  const round = (value: number) => Math.round(1000 * value) / 1000
  return [round(agreement.kappa), round(agreement.low), round(agreement.high)]
}

function requireMeasured(labels: LabelsFolder, models: readonly string[], table: AgreementTable): void {
  const modelNames = labellersOf(labels, 'model')
  const wrong = models.flatMap((name) => {
    if (!modelNames.includes(name))
      return [
        `no model ${name} has labels here${modelNames.length > 0 ? `; there are ${modelNames.join(', ')}` : ''}`,
      ]
    const items = table.models.find(({ model }) => model === name)?.relevance.items ?? 0
    return items < SHARED_LABELS
      ? [
          `the model ${name} shares ${items} labels with people; label ${SHARED_LABELS - items} more of its passages, so that its agreement is known before its labels are used`,
        ]
      : []
  })
  if (wrong.length > 0) throw new UserError(wrong.map((message) => ({ file: labels.folder, message })))
}
