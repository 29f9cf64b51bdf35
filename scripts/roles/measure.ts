import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isOnlyCitations, isRefusal } from '../../src/answer/citations.ts'
import { readJson } from '../../src/models/chat/json.ts'
import { takenBy } from '../../src/models/completions/cost.ts'
import { readCompletionRecording } from '../../src/models/completions/recording.ts'
import { promptHash, type StoredCompletion } from '../../src/models/completions/request.ts'
import { builtInPrompt } from '../../src/models/prompts/prompt.ts'
import type { JudgeSummary } from '../../src/results/answers.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { SHARE } from '../../src/statistics/range.ts'
import { type Effect, labelFile, MEASURE, promptFile, type Role } from './list.ts'

/** Figures of one prompt of a role, over one set of questions. */
export interface PromptFigures {
  readonly role: string
  readonly prompt: string
  readonly set: string
  readonly model: string
  /** Requests without repairs. */
  readonly requests: number
  /** Share of them with a completion that can be read, at first and after a repair. */
  readonly valid: number
  readonly repaired: number
  /** Share cut at the limit of tokens. */
  readonly cut: number
  /** Means of a call. */
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly seconds: number
}

/** The difference that a role makes, with a 95 % interval of paired queries. */
export interface EffectFigures {
  readonly role: string
  readonly set: string
  readonly model: string
  readonly now: string
  readonly before: string
  readonly measure: string
  readonly n: number
  readonly passages: number
  readonly means: readonly [before: number, now: number]
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Queries that have changed. */
  readonly changed: number
}

/** A judge against labels. */
export interface JudgeFigures extends Pick<JudgeSummary, 'bias'> {
  readonly role: string
  readonly model: string
  readonly labels: number
  readonly verdicts: number
  readonly share: number
  readonly low: number | null
  readonly high: number | null
  readonly kappa: number | null
}

export interface Measured {
  readonly prompts: readonly PromptFigures[]
  readonly effects: readonly EffectFigures[]
  readonly judges: readonly JudgeFigures[]
}

interface Ran {
  readonly role: Role
  readonly set: string
  readonly model: string
  /** Folder of the finished experiment. */
  readonly folder: string
  /** Folder of the completions, a file each. */
  readonly completions: string
}

export async function measured(ran: Ran): Promise<Measured> {
  const { role, set, model, folder } = ran
  const results = await readResults(folder)
  return {
    prompts: promptFigures(ran),
    effects: role.effect.map((effect) => ({
      ...{ role: role.id, set, model, passages: results.summary.dataset.documents },
      ...effectFigures(results, effect),
    })),
    judges: (results.summary.answers?.judges ?? []).flatMap(({ agreement, bias }) =>
      agreement
        ? [
            {
              ...{ role: role.id, model, labels: labelsOf(ran), verdicts: agreement.n },
              ...{ share: agreement.share.mean, low: agreement.share.low, high: agreement.share.high },
              ...{ kappa: agreement.kappa, ...(bias && { bias }) },
            },
          ]
        : [],
    ),
  }
}

/** Labels that a judge was given: lines of the file beside its experiment. */
function labelsOf({ role, model, folder }: Ran): number {
  return readFileSync(labelFile(dirname(folder), role, model), 'utf8')
    .trimEnd()
    .split('\n').length
}

/** Longest time between two completions that counts as time of the model: longer ones are pauses. */
const PAUSE = 120

function promptFigures({ role, set, model, folder, completions }: Ran): PromptFigures[] {
  const all = [...readCompletionRecording(join(folder, 'answers.jsonl')).values()]
  const written = new Map(
    readdirSync(completions).flatMap((name) =>
      readdirSync(join(completions, name)).map((file) => [
        file.replace('.json', ''),
        statSync(join(completions, name, file)).mtimeMs / 1000,
      ]),
    ),
  )
  const templates = [
    ...role.prompts.map((name) => [name, builtInPrompt(name)]),
    ...(role.own ?? []).map((name) => [`${name}.md`, readFileSync(promptFile(name), 'utf8').trimEnd()]),
  ]
  return templates.flatMap(([prompt, template]) => {
    const calls = all.filter(({ request }) => request.prompt === promptHash(template))
    if (calls.length === 0) return []
    const first = calls.filter(({ request }) => request.messages.length === 1)
    const repairs = calls.filter((call) => !first.includes(call) && call.request.schema !== undefined)
    const mean = (of: (call: StoredCompletion) => number) =>
      calls.reduce((sum, call) => sum + of(call), 0) / calls.length
    const valid = first.filter((call) => isValid(call, role)).length
    return [
      {
        ...{ role: role.id, prompt, set, model, requests: first.length },
        valid: valid / first.length,
        repaired: (valid + repairs.filter((call) => isValid(call, role)).length) / first.length,
        cut: mean(({ completion }) => Number(completion.finish === 'length')),
        input: mean((call) => takenBy(call).input),
        cachedInput: mean((call) => takenBy(call).cachedInput ?? 0),
        output: mean((call) => takenBy(call).output),
        seconds: secondsACall(calls.map(({ key }) => written.get(key) ?? Number.NaN)),
      },
    ]
  })
}

/** Mean time between completions, in seconds: of several calls at once, the time that each takes from the model. */
function secondsACall(written: readonly number[]): number {
  const times = written.filter((time) => !Number.isNaN(time)).sort((a, b) => a - b)
  const gaps = times.slice(1).map((time, index) => Math.min(time - times[index], PAUSE))
  return gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length)
}

/** True if a role can use the completion: JSON of its schema, tuples with their end, an answer in words, a whole text. */
function isValid({ request, completion: { text, finish } }: StoredCompletion, { cites }: Role): boolean {
  if (request.schema !== undefined)
    return 'value' in readJson(text, z.fromJSONSchema(request.schema as z.core.JSONSchema.JSONSchema))
  if (request.prompt === promptHash(builtInPrompt('graphrag-extract')))
    return /\("?entity"?<\|>[^<]+<\|>/.test(text) && finish === 'stop'
  if (cites) return isRefusal(text) || (/\[\d+\]/.test(text) && !isOnlyCitations(text))
  return text.trim() !== ''
}

function effectFigures(results: Results, { now, before, measure = MEASURE }: Effect) {
  const rows = [before, now].map((name) => valuesOf(results, name, measure))
  const [comparison] = compareTrials({
    ...{ names: ['before', 'now'], matrix: rows, family: [{ name: 'now', baseline: 'before' }] },
    ...{ level: 0.05, correction: 'holm', draws: 10_000, seed: 1, better: 'higher', range: SHARE },
  })
  const counted = [...rows[0].keys()].filter((query) => rows.every((row) => !Number.isNaN(row[query])))
  const mean = (row: Float64Array) => counted.reduce((sum, query) => sum + row[query], 0) / counted.length
  return {
    ...{ now, before, measure, n: counted.length },
    means: [mean(rows[0]), mean(rows[1])] as const,
    ...{ difference: comparison.difference, low: comparison.low, high: comparison.high },
    changed: counted.filter((query) => rows[0][query] !== rows[1][query]).length,
  }
}

/** Values by query of a trial's measure, or of an answerer's. */
function valuesOf(
  { summary, scores, queries, answers }: Results,
  name: string,
  measure: string,
): Float64Array {
  const all = queries.id.length
  const column = scores.get(measure)
  if (column) {
    const trial = summary.trials.findIndex((one) => one.name === name)
    if (trial < 0)
      throw new Error(`there is no trial ${name}: ${summary.trials.map((one) => one.name).join(', ')}`)
    return column.slice(trial * all, (trial + 1) * all)
  }
  const values = measure === CITED ? citedOf(answers) : answers?.measures.get(measure)
  if (!answers || !values) throw new Error(`there is no measure ${measure}`)
  const row = new Float64Array(all).fill(Number.NaN)
  const { words, codes } = answers.answerer
  const answerer = answererOf(words, name)
  for (let at = 0; at < answers.rows; at++)
    if (words[codes[at]] === answerer) row[answers.query[at]] = values[at]
  return row
}

const CITED = 'cited'

/** 1 for an answer that names a passage, 0 for one that names none: only the first has a precision of its citations. */
function citedOf(answers: Results['answers']): Float64Array | undefined {
  return answers?.measures.get('citation_precision')?.map((precision) => Number(!Number.isNaN(precision)))
}

/** The answerer of this name, or the one of this kind: its name is the kind, with its params behind it if some vary. */
export function answererOf(names: readonly string[], kind: string): string {
  if (names.includes(kind)) return kind
  const found = names.filter((name) => name.split(/[ (]/)[0] === kind)
  if (found.length !== 1)
    throw new Error(`${found.length} answerers are of kind ${kind}, not one: ${names.join(', ')}`)
  return found[0]
}
