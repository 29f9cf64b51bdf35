import {
  type AnyStep,
  type Expression,
  expressionsOf,
  isSource,
  queryContent,
  sourceContent,
} from '../../retrieve/step.ts'
import type { Query } from '../../types.ts'

/** How often a step will be computed over all queries, however many trials read it. */
export interface PlannedStep {
  readonly name: string
  /** Names from the query to this step: its position in the tree. */
  readonly path: readonly string[]
  /** Distinct expressions of this step at this position. */
  readonly distinct: number
  /** Computations over all queries. */
  readonly count: number
  /** `false` where the queries themselves decide (a fallback, a router's arm, a race): `count` is then the most it can be. */
  readonly exact: boolean
}

/**
 * Counts what a run will compute, by the executor's own rule: a cell is keyed by its expression's `own` hash and the
 * numbers of the cells it reads; a query's cell by its content. Steps that rewrite queries and need no artifact are
 * cheap, so they are really run here. With a race all counts are the most that they can be.
 */
export async function countSteps(
  roots: readonly Expression<unknown>[],
  queries: readonly Query[],
  raced = false,
): Promise<readonly PlannedStep[]> {
  /** By a computation's `own` (or what kind of query it is), then by what it reads. */
  const numbers = new Map<string, Map<string | number, number>>()
  let cellCount = 0
  const columns = new Map<string, { cells: Int32Array; values?: readonly Query[] }>()
  const certain = certainlyRead(roots)
  const rows = new Map<
    string,
    { step: AnyStep; path: string[]; distinct: number; count: number; exact: boolean }
  >()
  const numbersOf = (own: string) => {
    const known = numbers.get(own) ?? new Map<string | number, number>()
    numbers.set(own, known)
    return known
  }
  const queryNumbers = numbersOf('')
  const queryNumber = (content: string) => {
    const known = queryNumbers.get(content) ?? cellCount++
    queryNumbers.set(content, known)
    return known
  }

  for (const expression of expressionsOf(roots)) {
    const { step, inputs, own, key } = expression
    const cells = new Int32Array(queries.length)
    if (isSource(expression)) {
      for (let index = 0; index < queries.length; index++)
        cells[index] = queryNumber(sourceContent(expression, queries[index]))
      columns.set(key, { cells, values: queries })
      continue
    }
    const read = inputs.map((input) => columns.get(input.key))
    const known = numbersOf(own)
    let count = 0
    for (let index = 0; index < queries.length; index++) {
      // What a pick yields is one of its inputs' cells; for the count it stands for itself.
      const content =
        read.length === 1
          ? (read[0]?.cells[index] as number)
          : read.map((column) => column?.cells[index]).join(' ')
      let cell = known.get(content)
      if (cell === undefined) {
        cell = cellCount++
        known.set(content, cell)
        count++
      }
      cells[index] = cell
    }
    let values: Query[] | undefined
    const sources = read[0]?.values
    if (step.run && sources && isPlainRewriting(expression)) {
      values = []
      for (let index = 0; index < queries.length; index++) {
        const value = (await step.run([sources[index]], {
          params: expression.params,
          artifacts: {},
        })) as Query
        values.push(value)
        cells[index] = queryNumber(queryContent(value))
      }
    }
    columns.set(key, { cells, values })
    if (step.pick) continue
    const path = pathOf(expression)
    const id = path.join('\n')
    const row = rows.get(id) ?? { step, path, distinct: 0, count: 0, exact: true }
    row.distinct++
    row.count += count
    row.exact &&= !raced && certain.has(key) && !inputs.some((input) => uncertainContent(input))
    rows.set(id, row)
  }
  return [...rows.values()].map(({ step, path, distinct, count, exact }) => ({
    name: step.name,
    path,
    distinct,
    count,
    exact,
  }))
}

/** Expressions that every query needs: reachable without passing through an arm that a pick may leave out. */
function certainlyRead(roots: readonly Expression<unknown>[]): Set<string> {
  const certain = new Set<string>()
  const visit = (expression: Expression<unknown>) => {
    if (certain.has(expression.key)) return
    certain.add(expression.key)
    for (const input of expression.step.pick ? expression.inputs.slice(0, 1) : expression.inputs) visit(input)
  }
  for (const root of roots) visit(root)
  return certain
}

/** A rewriting by the query alone: it reads no artifact, and nothing that a model said. */
function isPlainRewriting({ step, inputs, artifacts }: Expression<unknown>): boolean {
  return step.yields === 'query' && inputs.length === 1 && Object.keys(artifacts).length === 0
}

/** Whether two queries may turn out to be the same cell: after a pick, or a rewriting that could not be run here. */
function uncertainContent(expression: Expression<unknown>): boolean {
  const { step, inputs } = expression
  if (step.pick !== undefined) return true
  if (step.yields === 'query' && !isSource(expression)) return !isPlainRewriting(expression)
  return inputs.some(uncertainContent)
}

function pathOf(expression: Expression<unknown>): string[] {
  const [first] = expression.inputs
  if (!first) return []
  return [...pathOf(first), expression.step.name]
}
