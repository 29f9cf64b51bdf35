import {
  type AnyStep,
  type Expression,
  expressionsOf,
  isSource,
  queryContent,
  sourceContent,
} from '../../retrieve/step.ts'
import type { Query } from '../../types.ts'

export interface PlannedStep {
  readonly name: string
  readonly path: readonly string[]
  readonly distinct: number
  readonly count: number
  /** False if the queries decide (a fallback, a router's arm); `count` is then an upper bound. */
  readonly exact: boolean
}

/**
 * Counts computations as the evaluator does: a cell is keyed by its expression's `own` hash and the cells it reads, a
 * query's cell by its content. Cheap rewriting steps are run.
 */
export async function countSteps(
  roots: readonly Expression<unknown>[],
  queries: readonly Query[],
): Promise<readonly PlannedStep[]> {
  /** Keyed by `own`, then by the cells that are read. */
  const numbers = new Map<string, Map<string | number, number>>()
  let cellCount = 0
  const columns = new Map<string, { cells: Int32Array; values?: readonly Query[] }>()
  const certain = certainlyRead(roots)
  const rows = new Map<
    string,
    { step: AnyStep; path: string[]; distinct: number; count: number; exact: boolean }
  >()
  const numbersOf = (step: string) => {
    const cells = numbers.get(step) ?? new Map<string | number, number>()
    numbers.set(step, cells)
    return cells
  }
  const queryNumbers = numbersOf('')
  const queryNumber = (content: string) => {
    const cell = queryNumbers.get(content) ?? cellCount++
    queryNumbers.set(content, cell)
    return cell
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
    const stepCells = numbersOf(own)
    let count = 0
    for (let index = 0; index < queries.length; index++) {
      // A pick is counted as a cell of its own.
      const content =
        read.length === 1
          ? (read[0]?.cells[index] as number)
          : read.map((column) => column?.cells[index]).join(' ')
      let cell = stepCells.get(content)
      if (cell === undefined) {
        cell = cellCount++
        stepCells.set(content, cell)
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
    row.exact &&= certain.has(key) && !inputs.some((input) => uncertainContent(input))
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

/** True for a rewriting that depends on the query alone. */
function isPlainRewriting({ step, inputs, artifacts }: Expression<unknown>): boolean {
  return step.yields === 'query' && inputs.length === 1 && Object.keys(artifacts).length === 0
}

/** True if two queries may become the same cell. */
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
