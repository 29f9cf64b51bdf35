import { createHash } from 'node:crypto'
import type { Trial } from '../../../src/config/experiment.ts'
import { compileTrials } from '../../../src/experiment/plan/compile.ts'
import { find } from '../../../src/registry.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { type Expression, expressionsOf, sourceQuery } from '../../../src/retrieve/step.ts'
import { listNeighborhood } from '../../../src/retrieve/steps/entities.ts'
import {
  type Inner,
  type Strategy,
  type StrategyOutput,
  strategies,
} from '../../../src/retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../../../src/retrieve/transforms/index.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import type { Query, Ranking } from '../../../src/types.ts'
import { recipeOf } from '../../corpus/recipes.ts'
import { documents } from '../../fixtures/passages.ts'

/** The small world with everything that a strategy may ask for. */
export const recipe = {
  ...recipeOf(documents),
  graph: [
    { name: 'rules', params: {} },
    { name: 'titles', params: {} },
  ],
  communities: { name: 'leiden', params: { maxSize: 10 } },
  reports: { name: 'extractive', params: {} },
  tree: { name: 'extractive', params: { size: 4 } },
}

/** No other trials: a strategy by itself. */
export const noTrials: Inner = (trial) => {
  throw new Error(`there is no trial ${trial}`)
}

/** Output of a strategy, by name or as it is, for the queries of the small world by default. */
export function retrieved(
  strategy: string | Strategy,
  given: object = {},
  query: Expression<Query> = sourceQuery(recipe),
  inner = noTrials,
): StrategyOutput {
  const { params, make } = typeof strategy === 'string' ? find(strategies, strategy) : strategy
  return make(params.parse(given)).retrieve(query, inner)
}

/** A trial of `strategy` and, if given, of more than it takes by itself. */
export function trial(name: string, strategy: string, given: object = {}, more: Partial<Trial> = {}): Trial {
  const params = find(strategies, strategy).params.parse(given) as never
  const bare = { varied: {}, before: [], after: [], recipe: 0, location: {} }
  return { id: name, name, strategy, params, ...bare, ...more }
}

/** The trials as they run together over the small world. */
export function compile(...trials: Trial[]) {
  const [before, after] = [queryTransforms.byName, rankingTransforms.byName]
  return compileTrials(trials, [recipe], { strategies: strategies.byName, before, after })
}

/** A ranking after a transform, by name. */
export function transformed(
  name: string,
  given: object,
  ranking: Expression<Ranking>,
  query: Expression<Query> = sourceQuery(ranking.recipe),
): Expression<Ranking> {
  const { params, make } = find(rankingTransforms, name)
  return make(params.parse(given)).rank(ranking, query)
}

/** Builds what `roots` read into the store in `folder`. */
export async function prepare(folder: string, roots: readonly Expression<unknown>[]): Promise<Store> {
  const store = openStore(folder)
  for (const { artifacts } of expressionsOf(roots))
    for (const artifact of Object.values(artifacts)) await store.prepare(artifact)
  return store
}

/** Evaluates an expression for queries as one shard. Throws where a query failed. */
export async function evaluate<T>(
  store: Store,
  root: Expression<T>,
  queries: readonly Query[],
): Promise<T[]> {
  const cells = await createMemo(store, queries, () => 0).cells(root)
  return cells.map((cell) => {
    if (!cell || cell.failure) throw new Error(`${cell?.failure?.step}: ${cell?.failure?.message}`)
    return cell.value as T
  })
}

/** Outputs of a step of `params` for some inputs, over artifacts that are made up. */
export function outputsOf<T>(
  apply: (inputs: never, params: never) => Expression<T>,
  block: readonly (readonly unknown[])[],
  params: object | null,
  artifacts: object,
): readonly T[] {
  const inputs = block[0].map(() => sourceQuery(recipe))
  const { run, runBlock } = apply(inputs as never, params as never).step as unknown as {
    readonly run?: (inputs: readonly unknown[], context: object) => T
    readonly runBlock?: (block: readonly (readonly unknown[])[], context: object) => readonly T[]
  }
  const context = { params, artifacts }
  return (
    runBlock?.(block, context) ?? block.map((inputs) => (run as NonNullable<typeof run>)(inputs, context))
  )
}

/** The documents' names of a ranking, best first, at most `depth`. Documents are in id order, so a row is a place. */
export function names({ rows }: Ranking, depth = rows.length): string {
  return [...rows.slice(0, depth)].map((row) => documents[row].id).join(' ')
}

/** First document of each ranking, and a digest of all rows, scores (six digits) and evidence. */
export function pinOf(rankings: readonly Ranking[], evidence: readonly unknown[] = []): string {
  const firsts = rankings.map(({ rows }) => (rows.length > 0 ? documents[rows[0]].id : '-'))
  const all = [
    rankings.map(({ rows, scores }) => [[...rows], [...scores].map((score) => score.toPrecision(6))]),
    evidence,
  ]
  const digest = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 12)
  return [...firsts, digest].join(' ')
}

/** The seed document's list of `graphrag-local`, simple, in another length than 10, by its evidence. */
export function listBehind({ inputs: [list] }: Expression<unknown>, items: number) {
  const { hops } = list.params as { readonly hops: number }
  return listNeighborhood([list.inputs[0] as Expression<Ranking>], { hops, items })
}
