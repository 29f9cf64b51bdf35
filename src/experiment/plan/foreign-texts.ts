import { basename } from 'node:path'
import { answerers } from '../../answer/answerers/index.ts'
import type { Experiment } from '../../config/experiment.ts'
import { textUnits } from '../../corpus/corpus.ts'
import { type MatchCounts, noMatches, TEXT_MATCHES, textMatcher } from '../../corpus/match-texts.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { RunTable } from '../../corpus/run-table.ts'
import { type Diagnostic, UserError } from '../../errors.ts'
import { resolve } from '../../registry.ts'
import { expressionsOf } from '../../retrieve/step.ts'
import { isOfTexts, type RecordedQuery } from '../../runs/recorded.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import { type CompiledTrial, rootsOf } from './compile.ts'

/** Files of other systems with texts: their matches with chunks, and queries that the dataset lacks. */

type Queries = readonly { readonly text: string }[]

interface Opened {
  readonly experiment: Experiment
  readonly dataset: { readonly name: string; readonly queries: Queries }
  readonly trials: readonly CompiledTrial[]
  readonly store: Store
}

interface AnswerFile {
  readonly path: string
  readonly records: ReadonlyMap<string, RecordedQuery>
}

/** Files of answers that an experiment reads. */
function answerFiles({ answering }: Experiment): AnswerFile[] {
  return answering.flatMap(({ choice }) => {
    const { definition, params } = resolve(answerers, choice)
    return definition.records ? [{ path: String(params.path), records: definition.records(params) }] : []
  })
}

/** Artifacts behind runs with their files; a file may be read in several ways. */
function runTables(trials: readonly CompiledTrial[]): [path: string, Artifact<RunTable>][] {
  const runs = new Map<string, [string, Artifact<RunTable>]>()
  for (const { step, artifacts } of expressionsOf(rootsOf(trials))) {
    if (!step.recorded) continue
    const { path, artifact } = step.recorded
    const table = artifacts[artifact] as Artifact<RunTable>
    runs.set(JSON.stringify([path, table.key]), [path, table])
  }
  return [...runs.values()]
}

/** Recipe whose chunks passages of another system are matched with: the first trial's. */
export function answerRecipe([first]: readonly Pick<CompiledTrial, 'ranking'>[]): Recipe {
  return first.ranking.recipe
}

/** Builds the chunks, and the matches with them, that `textLines` counts. */
export async function prepareTexts({ experiment, trials, store }: Opened): Promise<void> {
  for (const [path, artifact] of runTables(trials)) if (isOfTexts(path)) await store.prepare(artifact)
  if (answerFiles(experiment).some(holdsContexts)) await store.prepare(textUnits(answerRecipe(trials)))
}

function holdsContexts({ records }: AnswerFile): boolean {
  return [...records.values()].some(({ contexts }) => contexts.length > 0)
}

/** Throws a UserError for each file of answers to none of the questions. */
export function requireKnownAnswers({ experiment, dataset }: Opened): void {
  const wrong = answerFiles(experiment).flatMap(({ path, records }): Diagnostic[] =>
    dataset.queries.some(({ text }) => records.has(text.trim()))
      ? []
      : [
          {
            file: path,
            message: `holds none of the questions of ${dataset.name}: \`query\` must be the text of a question`,
          },
        ],
  )
  if (wrong.length > 0) throw new UserError(wrong)
}

/** Sentences on the prepared files of an experiment. */
export async function textLines(open: Opened): Promise<string[]> {
  const { experiment, trials, store, dataset } = open
  const lines = [
    ...(await runLines(store, trials, dataset.queries)),
    ...(await answerTextLines(store, answerRecipe(trials), experiment, dataset.queries)),
  ]
  return [...new Set(lines)]
}

/** Sentences on prepared runs: how tables were read, and matches of texts. */
export async function runLines(
  store: Store,
  trials: readonly CompiledTrial[],
  queries: Queries,
): Promise<string[]> {
  const lines: string[] = []
  for (const [file, artifact] of runTables(trials)) {
    if (!store.has(artifact)) continue
    const { texts, lines: own } = await store.open(artifact)
    lines.push(...own.map((line) => `${basename(file)}: ${line}`))
    if (!texts) continue
    const moved = 'are left out of the rankings, so that later ranks move up'
    lines.push(
      ...matchLine(basename(file), texts.counts, moved),
      ...unknownLine(basename(file), texts.queries, queries),
    )
  }
  return lines
}

/** Sentences on files of answers. */
export async function answerTextLines(
  store: Store,
  recipe: Recipe,
  experiment: Experiment,
  queries: Queries,
): Promise<string[]> {
  const lines: string[] = []
  for (const file of answerFiles(experiment)) {
    const { path, records } = file
    const name = basename(path)
    if (holdsContexts(file) && store.has(textUnits(recipe))) {
      const match = textMatcher(await store.open(textUnits(recipe)))
      const counts = noMatches()
      for (const { contexts } of records.values()) for (const text of contexts) counts[match(text).kind]++
      lines.push(...matchLine(name, counts, 'count as passages without gold'))
    }
    lines.push(...unknownLine(name, [...records.keys()], queries))
  }
  return lines
}

function matchLine(name: string, counts: MatchCounts, consequence: string): string[] {
  const all = TEXT_MATCHES.reduce((sum, kind) => sum + counts[kind], 0)
  const lost = counts.ambiguous + counts.unmatched
  const listed = (kinds: readonly (typeof TEXT_MATCHES)[number][]) =>
    kinds
      .flatMap((kind) => (counts[kind] > 0 ? [`${counts[kind].toLocaleString('en')} ${kind}`] : []))
      .join(', ')
  if (all === 0) return []
  const found = listed(['exact', 'normalised', 'overlapping'])
  const rest = lost > 0 ? `; ${listed(['ambiguous', 'unmatched'])}: these ${consequence}` : ''
  const share = `${(all - lost).toLocaleString('en')} of ${all.toLocaleString('en')} texts match chunks`
  return [`${name}: ${share}${found === '' ? '' : ` (${found})`}${rest}`]
}

function unknownLine(name: string, given: readonly string[], queries: Queries): string[] {
  const known = new Set(queries.map(({ text }) => text.trim()))
  const others = given.filter((query) => !known.has(query))
  if (others.length === 0) return []
  const [first] = others
  const shown = first.length > 60 ? `${first.slice(0, 60)}...` : first
  return [
    `${name}: ${others.length.toLocaleString('en')} of ${given.length.toLocaleString('en')} queries are no question of the dataset and are not read, the first: ${JSON.stringify(shown)}`,
  ]
}
