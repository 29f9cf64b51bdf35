import { UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import type { Store } from '../store/store.ts'
import type { Query } from '../types.ts'
import { type Failure, messageOf, runStep, type StepOutcome, wrongOutput } from './run-step.ts'
import {
  type AnyStep,
  type Expression,
  isSource,
  queryContent,
  type StepFacts,
  sourceContent,
} from './step.ts'

/**
 * Output of one step for one query. Its key is the expression's `own` hash and the numbers of the cells that it reads; a
 * query's cell is keyed by content.
 */
export interface MemoCell {
  readonly number: number
  readonly value?: unknown
  readonly failure?: Failure
  readonly facts?: StepFacts
}

export interface QueryFacts {
  readonly counters: Readonly<Record<string, number>>
  /** The arm that the (outermost) router chose. */
  readonly arm: string | null
  readonly fallbacks: readonly string[]
  /** Texts of steps by name, the outermost of several; and each query as a step rewrote it. */
  readonly notes: Readonly<Record<string, string>>
  /** Texts of steps about single chunks, by row; the innermost of several. */
  readonly marks: ReadonlyMap<number, string>
  /** Lists of rows that are looked through for gold. */
  readonly finds: Readonly<Record<string, readonly Uint32Array[]>>
}

const NO_FACTS: QueryFacts = {
  counters: {},
  arm: null,
  fallbacks: [],
  notes: {},
  marks: new Map(),
  finds: {},
}

/** Cells by query index; undefined before they are computed. */
type Row = (MemoCell | undefined)[]

export interface Memo {
  /** The cells of `expression` for the queries at `indexes` (all of the shard's by default), by index. */
  cells(expression: Expression<unknown>, indexes?: readonly number[]): Promise<Row>
  cell(expression: Expression<unknown>, index: number): MemoCell | undefined
  /** Drops cells that are not needed again. */
  forget(expressions: readonly Expression<unknown>[]): void
  /** The facts of the cells that `roots` really read for the query at `index`. */
  facts(roots: readonly Expression<unknown>[], index: number): QueryFacts
  /** Number of computations in this memo by step name. */
  readonly computed: ReadonlyMap<string, number>
  /** Milliseconds spent inside each step's own computation, by step name. */
  readonly milliseconds: ReadonlyMap<string, number>
  /** Milliseconds that engines report for their searches; null if no step has reported any. */
  tookInEngines(): number | null
}

/** Memo for one shard. `clock` returns milliseconds. */
export function createMemo(
  store: Store,
  queries: readonly Query[],
  clock: () => number,
  pause?: () => Promise<void>,
): Memo {
  const make = createCellMaker()
  /** Cells by an expression's `own`, then by the numbers of the cells that it read. */
  const byOwn = new Map<string, Map<string, MemoCell>>()
  const byExpression = new Map<string, Row>()
  const meter = createMeter()
  const everywhere = queries.map((_, index) => index)

  async function cells(expression: Expression<unknown>, indexes: readonly number[] = everywhere) {
    let row = byExpression.get(expression.key)
    if (!row) {
      row = new Array<MemoCell | undefined>(queries.length).fill(undefined)
      byExpression.set(expression.key, row)
    }
    const missing = indexes.filter((index) => row[index] === undefined)
    if (missing.length === 0) return row
    if (isSource(expression))
      for (const index of missing)
        row[index] = make.ofQuery(queries[index], sourceContent(expression, queries[index]))
    else if (expression.step.pick) await choose(expression, missing, row)
    else await compute(expression, missing, row)
    return row
  }

  async function choose(expression: Expression<unknown>, indexes: readonly number[], row: Row) {
    const { step, inputs } = expression
    const first = await cells(inputs[0], indexes)
    const byArm = new Map<number, number[]>()
    for (const index of indexes) {
      const cell = first[index] as MemoCell
      const arm = cell.failure ? undefined : pickArm(expression, cell.value)
      if (arm === undefined) row[index] = cell
      else if (typeof arm === 'string') row[index] = make.failed({ step: step.name, message: arm })
      else addTo(byArm, arm, index)
    }
    for (const [arm, chosen] of byArm) {
      const values = await cells(inputs[arm + 1], chosen)
      for (const index of chosen) row[index] = values[index]
    }
  }

  async function compute(expression: Expression<unknown>, indexes: readonly number[], row: Row) {
    const { step, inputs } = expression
    const columns: Readonly<Row>[] = []
    for (const input of inputs) columns.push(await cells(input, indexes))
    const computedHere = byOwn.get(expression.own) ?? new Map<string, MemoCell>()
    byOwn.set(expression.own, computedHere)
    const wanted = fillKnown(row, indexes, columns, computedHere)
    if (wanted.size === 0) return
    const artifacts = await openArtifacts(store, expression)
    const begin = clock()
    const requests = [...wanted.values()]
    const block = requests.map((request) => request.inputs)
    const ids = requests.map((request) => queries[request.indexes[0]].id)
    const outcomes = await runStep(step, { params: expression.params, artifacts }, block, ids, pause)
    meter.add(step, clock() - begin, outcomes.length)
    let next = 0
    for (const [content, request] of wanted) {
      const cell = make.ofOutcome(expression, outcomes[next++])
      computedHere.set(content, cell)
      meter.addTook(cell.facts?.took)
      for (const index of request.indexes) row[index] = cell
    }
  }

  const cell = (expression: Expression<unknown>, index: number) => byExpression.get(expression.key)?.[index]

  function forget(expressions: readonly Expression<unknown>[]): void {
    for (const { key, own } of expressions) {
      byExpression.delete(key)
      byOwn.delete(own)
    }
  }

  const { computed, milliseconds, tookInEngines } = meter
  return {
    cells,
    cell,
    forget,
    facts: createFactReader(queries, cell),
    computed,
    milliseconds,
    tookInEngines,
  }
}

function createMeter() {
  const computed = new Map<string, number>()
  const milliseconds = new Map<string, number>()
  let took: number | null = null
  return {
    computed,
    milliseconds,
    tookInEngines: () => took,
    add({ name }: AnyStep, time: number, outputs: number): void {
      milliseconds.set(name, (milliseconds.get(name) ?? 0) + time)
      computed.set(name, (computed.get(name) ?? 0) + outputs)
    },
    addTook(time: number | undefined): void {
      if (time !== undefined) took = (took ?? 0) + time
    },
  }
}

async function openArtifacts(store: Store, { artifacts }: Expression<unknown>) {
  const opened: Record<string, unknown> = {}
  for (const [name, artifact] of Object.entries(artifacts)) opened[name] = await store.open(artifact)
  return opened
}

interface Request {
  readonly inputs: readonly unknown[]
  readonly indexes: number[]
}

/**
 * Fills the cells of `row` that are known, and failures of inputs. Returns the missing computations by the numbers of
 * the cells read.
 */
function fillKnown(
  row: Row,
  indexes: readonly number[],
  columns: readonly Readonly<Row>[],
  computed: ReadonlyMap<string, MemoCell>,
): Map<string, Request> {
  const missing = new Map<string, Request>()
  for (const index of indexes) {
    const read = columns.map((column) => column[index] as MemoCell)
    const failed = read.find((cell) => cell.failure)
    const content = failed ? '' : read.map((cell) => cell.number).join(' ')
    const earlier = failed ?? computed.get(content)
    if (earlier) row[index] = earlier
    else {
      const request = missing.get(content) ?? { inputs: read.map((cell) => cell.value), indexes: [] }
      request.indexes.push(index)
      missing.set(content, request)
    }
  }
  return missing
}

function createCellMaker() {
  const queryCells = new Map<string, MemoCell>()
  let numbers = 0

  function ofQuery(value: Query, content: string): MemoCell {
    const earlier = queryCells.get(content)
    if (earlier) return earlier
    // A query of a dataset has answers and evidence too, which must not reach a step.
    const { id, text, lexical, metadata } = value
    const plain: Query = { id, text, ...(lexical !== undefined && { lexical }), metadata }
    const cell = { number: numbers++, value: plain }
    queryCells.set(content, cell)
    return cell
  }

  const failed = (failure: Failure, facts?: StepFacts): MemoCell => ({ number: numbers++, failure, facts })

  function ofOutcome({ step }: Expression<unknown>, outcome: StepOutcome): MemoCell {
    if ('failure' in outcome) return failed(outcome.failure, { counts: outcome.counts })
    try {
      const message = wrongOutput(step, outcome.value)
      if (message) return failed({ step: step.name, message })
      if (step.yields === 'query')
        return ofQuery(outcome.value as Query, queryContent(outcome.value as Query))
      return { number: numbers++, value: outcome.value, facts: step.facts?.(outcome.value) }
    } catch (error) {
      if (error instanceof UserError) throw error
      return failed({ step: step.name, message: messageOf(error) })
    }
  }

  return { ofQuery, failed, ofOutcome }
}

function createFactReader(queries: readonly Query[], cellAt: Memo['cell']): Memo['facts'] {
  const read = new Map<string, boolean>()

  function facts(roots: readonly Expression<unknown>[], index: number): QueryFacts {
    if (!roots.some(hasFacts)) return NO_FACTS
    const counters: Record<string, number> = {}
    const fallbacks: string[] = []
    const notes: Record<string, string> = {}
    const finds: Record<string, readonly Uint32Array[]> = {}
    const marks = new Map<number, string>()
    let chosen: string | null = null
    const seen = new Set<unknown>()
    const count = (name: string, amount: number) => {
      counters[name] = (counters[name] ?? 0) + amount
    }
    const take = ({ counts, arm, fellBack, notes: texts, marks: rows, finds: lists = {} }: StepFacts) => {
      for (const [name, note] of Object.entries(texts ?? {})) notes[name] ??= note
      for (const [row, words] of rows ?? []) marks.set(row, words)
      for (const [name, rows] of Object.entries(lists)) finds[name] = [...(finds[name] ?? []), ...rows]
      for (const [name, amount] of Object.entries(counts ?? {})) count(name, amount)
      chosen ??= arm ?? null
      if (fellBack === undefined) return
      count('fallbacks', fellBack === null ? 0 : 1)
      if (fellBack !== null) fallbacks.push(fellBack)
    }
    const visit = (expression: Expression<unknown>): void => {
      if (seen.has(expression.key) || !hasFacts(expression)) return
      seen.add(expression.key)
      const cell = cellAt(expression, index)
      if (!cell) return
      const { step, params, inputs } = expression
      if (cell.failure) {
        if (cell.facts && !seen.has(cell)) take(cell.facts)
        seen.add(cell)
        for (const input of step.pick ? inputs.slice(0, 1) : inputs) visit(input)
        return
      }
      if (step.pick) {
        visit(inputs[0])
        const arm = step.pick(cellAt(inputs[0], index)?.value, params)
        take({ fellBack: step.pickFellBack?.(arm, params) })
        visit(inputs[arm + 1])
        return
      }
      if (cell.facts && !seen.has(cell)) take(cell.facts)
      if (isRewriting(expression))
        for (const [name, note] of rewriting(step.name, cell.value as Query, index))
          notes[freeName(name, note, notes)] = note
      seen.add(cell)
      for (const input of inputs) visit(input)
    }
    for (const root of roots) visit(root)
    return { counters, arm: chosen, fallbacks, notes, marks, finds }
  }

  /** Notes on a query that `step` rewrote: its text and the words of its lexical side, where they differ from the question. */
  function rewriting(step: string, { text, lexical = text }: Query, index: number): [string, string][] {
    const query = queries[index]
    const notes: [string, string][] = []
    if (text !== query.text) notes.push([`query after ${step}`, text])
    const isSame = text === query.text || lexical !== text
    if (lexical !== (query.lexical ?? query.text) && isSame) notes.push([`words after ${step}`, lexical])
    return notes
  }

  function hasFacts(expression: Expression<unknown>): boolean {
    const { key, step, inputs } = expression
    let has = read.get(key)
    if (has === undefined) {
      has = isRewriting(expression) || Boolean(step.facts ?? step.pickFellBack) || inputs.some(hasFacts)
      read.set(key, has)
    }
    return has
  }

  return facts
}

/** Name of a rewriting's note: numbered from 2 if the same step made other words before, as in another hop. */
function freeName(name: string, note: string, notes: Readonly<Record<string, string>>): string {
  let free = name
  for (let time = 2; notes[free] !== undefined && notes[free] !== note; time++) free = `${name} (${time})`
  return free
}

function isRewriting(expression: Expression<unknown>): boolean {
  return expression.step.yields === 'query' && !isSource(expression)
}

function pickArm({ step, params, inputs }: Expression<unknown>, first: unknown): number | string {
  try {
    const arm = step.pick?.(first, params) ?? 0
    return inputs[arm + 1] ? arm : `picked arm ${arm}; there are ${inputs.length - 1}, counted from 0`
  } catch (error) {
    if (error instanceof UserError) throw error
    return messageOf(error)
  }
}
