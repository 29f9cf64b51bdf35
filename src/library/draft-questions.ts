import { dirname, join, resolve } from 'node:path'
import { readSource } from '../config/source.ts'
import type { Choice } from '../corpus/recipe.ts'
import { loadDataset } from '../dataset/load.ts'
import type { Dataset } from '../dataset/types.ts'
import { writeBeir } from '../dataset/write-beir.ts'
import { UserError } from '../errors.ts'
import { cacheFolder } from '../hub/cache.ts'
import {
  type Draft,
  type Drafted,
  type Dropped,
  type Kind,
  MODEL_KINDS,
  questionLines,
  RULE_KINDS,
} from '../questions/draft.ts'
import { chooseDrafts, unambiguous, uniqueGold, withoutNearDuplicates } from '../questions/filters.ts'
import { DRAFTERS } from '../questions/kinds/index.ts'
import { draftWithModel, FEWEST_WORDS, type ModelKind, passagesOf, tasksOf } from '../questions/model.ts'
import { type Rewording, rewordDrafts } from '../questions/reword.ts'
import { type QualitySheet, qualitySheet } from '../questions/sheet.ts'
import { readResults } from '../results/read.ts'
import { writeText } from '../runs/source.ts'
import { momentsOf } from '../statistics/moments.ts'
import { openScratch } from '../store/write.ts'
import { askModel } from './ask-model.ts'
import { datasetOf, isConfig, openConfig, type Place } from './open-config.ts'
import { runConfig } from './run-config.ts'

interface DraftOptions {
  readonly count: number
  readonly kinds: readonly Kind[]
  readonly seed: number
  /** Rule that rewords questions of rules. */
  readonly reword?: Rewording | undefined
  /** Without arms no question is known to be trivial. */
  readonly noArms: boolean
  /** Name of a model of the config. */
  readonly model?: string | undefined
  readonly personas: readonly string[]
  readonly signal: AbortSignal
  readonly notice: (line: string) => void
}

interface DraftedQuestions {
  readonly drafts: readonly Draft[]
  readonly dropped: readonly Dropped[]
  readonly sheet: QualitySheet
  /** Null if the corpus is no folder of documents. */
  readonly lines: string | null
  writeBeir(folder: string): void
}

/** Candidates per wanted question: filters drop many. */
const EXAMINED = 4

/** Throws a UserError if no question can be drafted; `lost` then receives the dropped ones. */
export async function draftQuestions(
  place: Place,
  source: string,
  options: DraftOptions,
  lost: (dropped: readonly Dropped[]) => void,
): Promise<DraftedQuestions> {
  const { count, seed, kinds, model } = options
  const config = isConfig(source) ? source : undefined
  if (!config && model !== undefined)
    throw new UserError('--model names a model of a config: name the config in place of the dataset')
  const choice = await corpusChoice(place, source)
  const base = dirname(resolve(place.folder, source))
  const corpus = await loadDataset(choice, base, { cache: cacheFolder(place.env) })
  const texts = new Map(corpus.documents.map(({ id, text }) => [id, text]))
  const wanted = count * EXAMINED
  const byRule = kinds.some((kind) => isIn(kind, RULE_KINDS))
    ? draftByRules(corpus, kinds, options, wanted, texts)
    : NONE
  const byModel =
    model !== undefined && config ? await draftByModel(place, config, corpus, model, options) : NONE
  const first = [...byRule.drafts, ...byModel.drafts]
  const near = withoutNearDuplicates(first)
  const dropped = [...byRule.dropped, ...byModel.dropped, ...near.dropped]
  const tried =
    options.noArms || near.drafts.length === 0
      ? { drafts: near.drafts, trivial: [], spread: null }
      : await tryDrafts(place, { config, choice, corpus }, near.drafts, options)
  const hard = chooseDrafts(tried.drafts, count, seed)
  const trivial = chooseDrafts(tried.trivial, count - hard.length, seed)
  const drafts = [...hard, ...trivial]
  if (drafts.length === 0) {
    lost(dropped)
    throw new UserError(noneInWords(corpus, dropped, model), source)
  }
  if (drafts.length < count)
    options.notice(
      `note: ${drafts.length} of ${count} questions could be drafted${byRule === NONE ? '' : ' (rules know English only)'}`,
    )
  if (corpus.documents.length === 1)
    options.notice(
      'note: the corpus is one document, so every question is about it; chunk it, or all answers are one',
    )
  const drafted = byRule.drafted + byModel.drafted
  const examined = first.length + byRule.dropped.length + byModel.dropped.length
  return {
    drafts,
    dropped,
    sheet: qualitySheet(drafts, dropped, {
      drafted,
      examined,
      texts,
      trivial: options.noArms ? null : trivial.length,
      documents: corpus.documents.length,
      spread: tried.spread,
    }),
    lines: choice.name === 'folder' ? questionLines(drafts, texts) : null,
    writeBeir: (folder) => writeBeir(withQueries(corpus, drafts, texts), folder),
  }
}

type Counted = Drafted & { readonly drafted: number }
const NONE: Counted = { drafts: [], dropped: [], drafted: 0 }

function isIn<K extends Kind>(kind: Kind, kinds: readonly K[]): kind is K {
  return (kinds as readonly Kind[]).includes(kind)
}

function noneInWords({ documents }: Dataset, dropped: readonly Dropped[], model?: string): string {
  const reasons = [...new Set(dropped.map(({ reason }) => reason))].slice(0, 3)
  const size = documents.length === 1 ? 'its one document' : `its ${documents.length} documents`
  return dropped.length === 0
    ? `no question can be drafted from ${size}: ${model === undefined ? 'rules find English definitions, tables and questions only; a model (--model) drafts in any language' : `no passage has ${FEWEST_WORDS} words`}`
    : `no question is left of ${dropped.length} candidates from ${size}: ${reasons.join('; ')}`
}

/** Dataset of a config or path, without its file of questions. */
async function corpusChoice(place: Place, source: string): Promise<Choice> {
  if (!isConfig(source)) return datasetOf(place, source)
  const { name, params } = await datasetOf(place, source, withoutQuestions(place, source))
  const { questions: _, ...corpus } = params
  return { name, params: corpus }
}

/** Setting that leaves out a config's questions: they may be those that are drafted now. */
function withoutQuestions({ folder, env }: Place, config: string): string[] {
  const { value, folderOf } = readSource(config, { set: [], env, folder })
  const dataset = value.dataset as Readonly<Record<string, unknown>> | null
  if (typeof dataset !== 'object' || dataset === null || dataset.folder === undefined) return []
  const named =
    typeof dataset.folder === 'string'
      ? { ...dataset, path: dataset.folder }
      : { ...(dataset.folder as object) }
  const { questions, folder: _, path, ...params } = named as Readonly<Record<string, unknown>>
  if (questions === undefined || typeof path !== 'string') return []
  return [`dataset=${JSON.stringify({ folder: { ...params, path: resolve(folderOf(['dataset']), path) } })}`]
}

function draftByRules(
  { documents }: Dataset,
  kinds: readonly Kind[],
  { reword, seed }: DraftOptions,
  wanted: number,
  texts: ReadonlyMap<string, string>,
): Counted {
  const all = DRAFTERS.flatMap((drafter) => drafter(documents)).filter(({ kind }) => kinds.includes(kind))
  const { drafts: clear, dropped } = unambiguous(all)
  const examined = chooseDrafts(clear, wanted, seed)
  const unique = uniqueGold(examined, documents)
  const worded = reword ? rewordDrafts(unique.drafts, reword, texts) : { drafts: unique.drafts, dropped: [] }
  return {
    drafts: worded.drafts,
    dropped: [...dropped, ...unique.dropped, ...worded.dropped],
    drafted: all.length,
  }
}

/** Tasks per wanted question: the check drops some. */
const TASKS = 2

async function draftByModel(
  place: Place,
  config: string,
  { documents }: Dataset,
  name: string,
  { kinds, personas, count, seed, signal }: DraftOptions,
): Promise<Counted> {
  const open = await openConfig(place, config, { set: withoutQuestions(place, config) })
  const passages = passagesOf(documents)
  const modelKinds = kinds.filter((kind): kind is ModelKind => isIn(kind, MODEL_KINDS))
  const tasks = tasksOf(passages, { personas, seed, kinds: modelKinds, count: count * TASKS })
  const outcomes = await askModel(open, name, tasks, (chat, task) => draftWithModel(chat, task, passages), {
    signal,
    progress: place.progress,
  })
  const drafts: Draft[] = []
  const dropped: Dropped[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { kind, passages: sources } = tasks[index]
    const draft = { kind, text: '', from: sources.map(({ gold }) => gold.documentId) }
    if ('failed' in outcome) dropped.push({ draft, reason: `${name} drafted none: ${outcome.failed}` })
    else if ('reason' in outcome.value) dropped.push(outcome.value)
    else drafts.push(outcome.value)
  }
  const unique = uniqueGold(drafts, documents)
  return { drafts: unique.drafts, dropped: [...dropped, ...unique.dropped], drafted: tasks.length }
}

interface Source {
  readonly config: string | undefined
  readonly choice: Choice
  readonly corpus: Dataset
}

/** Arms for a dataset without a config. */
const ARMS = `prepare: {chunk: {tokens: {size: 200, overlap: 0}}, embedder: lsa}
trials: [bm25, naive]
measures: [recall@5]
compare: {draws: 100}
`

/** Runs the arms on the drafts. A draft is trivial if every arm ranks its gold first. */
async function tryDrafts(
  place: Place,
  { config, choice, corpus }: Source,
  drafts: readonly Draft[],
  { signal }: DraftOptions,
): Promise<{
  readonly drafts: readonly Draft[]
  readonly trivial: readonly Draft[]
  readonly spread: number | null
}> {
  const { folder, remove } = openScratch()
  try {
    const texts = new Map(corpus.documents.map(({ id, text }) => [id, text]))
    const questions = join(folder, 'questions.jsonl')
    const isFolder = choice.name === 'folder'
    if (isFolder) writeText(questions, questionLines(drafts, texts))
    else writeBeir(withQueries(corpus, drafts, texts), join(folder, 'corpus'))
    const dataset = isFolder ? { folder: { ...choice.params, questions } } : join(folder, 'corpus')
    const arms = join(folder, 'arms.yaml')
    if (!config) writeText(arms, `dataset: none\n${ARMS}`)
    const ran = await runConfig(place, config ?? arms, {
      set: [`dataset=${JSON.stringify(dataset)}`],
      store: config ? undefined : join(folder, 'store'),
      out: join(folder, 'tried'),
      workers: 1,
      signal,
      progress: place.progress ?? (() => {}),
      notice: () => {},
    })
    if ('stopped' in ran) throw new UserError(`stopped ${ran.stopped}; nothing is lost`)
    const { summary, gold, labels, queries, scores } = await readResults(ran.folder)
    const order = new Map(queries.id.map((id, index) => [id, index]))
    const digits = String(drafts.length).length
    const isTrivial = (index: number) => {
      const query = order.get(`draft-${String(index + 1).padStart(digits, '0')}`)
      const rows = [...labels.query.keys()].filter((label) => labels.query[label] === query)
      return (
        rows.length > 0 &&
        summary.trials.every((_, trial) =>
          rows.every((label) => {
            const rank = gold.rank[trial * labels.rows + label]
            return rank > 0 && rank <= rows.length
          }),
        )
      )
    }
    const trivial = drafts.filter((_, index) => isTrivial(index))
    return {
      drafts: drafts.filter((draft) => !trivial.includes(draft)),
      trivial,
      spread: spreadOf(scores.get(summary.primary), summary.trials.length, queries.id.length),
    }
  } finally {
    remove()
  }
}

function spreadOf(scores: Float64Array | undefined, trials: number, queries: number): number | null {
  if (!scores || trials < 2) return null
  let largest = 0
  for (let a = 0; a < trials; a++)
    for (let b = 0; b < a; b++) {
      const differences = Array.from(
        { length: queries },
        (_, query) => scores[a * queries + query] - scores[b * queries + query],
      )
      const { sd, n } = momentsOf(
        Float64Array.from(differences.filter((difference) => !Number.isNaN(difference))),
      )
      if (n > 1) largest = Math.max(largest, sd)
    }
  return largest
}

function withQueries(corpus: Dataset, drafts: readonly Draft[], texts: ReadonlyMap<string, string>): Dataset {
  const lines = questionLines(drafts, texts).split('\n').filter(Boolean)
  const queries = lines.map((line) => {
    const {
      _id: id,
      text,
      metadata: { category, answers = [], answerable = true, ...metadata },
    } = JSON.parse(line)
    return { id, text, metadata, category, answers, answerable }
  })
  const qrels = drafts.map(({ gold }, index): [string, ReadonlyMap<string, number>] => [
    queries[index].id,
    new Map(gold.map(({ documentId }) => [documentId, 1])),
  ])
  return {
    ...corpus,
    queries,
    judgedUnit: 'document',
    spans: new Map(),
    groups: new Map(),
    missingGold: 0,
    qrels: new Map(qrels.filter(([, grades]) => grades.size > 0)),
  }
}
