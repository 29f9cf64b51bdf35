import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { UserError } from '../../src/errors.ts'
import { createMemo, type QueryFacts } from '../../src/retrieve/evaluate.ts'
import {
  defineStep,
  type Expression,
  type StepDefinition,
  sourceById,
  sourceQuery,
} from '../../src/retrieve/step.ts'
import type { Inputs } from '../../src/store/artifact.ts'
import type { Store } from '../../src/store/store.ts'
import type { Query } from '../../src/types.ts'

/** Expressions over lists of numbers, each computed again by plain recursion: no memo, no sharing, no blocks. */

const RECIPE = {} as Recipe
const store = { open: () => Promise.reject(new Error('nothing is read here')) } as unknown as Store

/** A node's function of its inputs' numbers. A sum of 13 throws, in a block as well. */
function combine(inputs: readonly number[], add: number): number {
  const sum = inputs.reduce((total, value, place) => total + (place + 1) * value, add)
  if (sum % 13 === 0) throw new Error(`unlucky ${sum}`)
  return sum
}

const valuesOf = (inputs: readonly unknown[]) =>
  inputs.map((input) => (typeof input === 'number' ? input : Number((input as Query).text)))
const counts = (output: number) => ({ steps: 1, odd: output % 2 })
const facts = (output: number) => ({ counts: counts(output) })

type NumberStep = StepDefinition<number, readonly unknown[], number, Inputs>

const single = defineStep({
  name: 'single',
  version: 1,
  facts,
  run: (inputs: readonly unknown[], { params }: { params: number }) => combine(valuesOf(inputs), params),
} as NumberStep)
const block = defineStep({
  name: 'block',
  version: 1,
  facts,
  runBlock: (all: readonly (readonly unknown[])[], { params }: { params: number }) =>
    all.map((inputs) => combine(valuesOf(inputs), params)),
} as NumberStep)
const choice = defineStep({
  name: 'choice',
  version: 1,
  pick: (first: unknown, params: number) => (valuesOf([first])[0] + params) % 3,
  pickFellBack: (arm: number) => `arm ${arm}`,
} as NumberStep)

interface Node {
  readonly kind: 'single' | 'block' | 'choice'
  readonly add: number
  /** Places of earlier nodes; -1 is the query. */
  readonly inputs: readonly number[]
}
const anyNodes: fc.Arbitrary<Node[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('single' as const, 'block' as const, 'choice' as const),
      add: fc.integer({ min: 0, max: 3 }),
      inputs: fc.array(fc.nat(100), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((nodes) =>
    nodes.map(({ inputs, ...node }, place) => ({
      ...node,
      inputs: inputs.map((input) => (input % (place + 1)) - 1),
    })),
  )

const expressionsOf = (nodes: readonly Node[]): Expression<number>[] => {
  const built: Expression<number>[] = []
  for (const { kind, add, inputs } of nodes) {
    const from = inputs.map((input) => (input < 0 ? sourceQuery(RECIPE) : built[input]))
    built.push({ single, block, choice }[kind](from, add))
  }
  return built
}

type Result = { readonly value: number } | { readonly failure: string }

/** The value of a node for a query, and the nodes whose own value was read on the way. */
function plainly(
  nodes: readonly Node[],
  place: number,
  text: number,
  read: Map<string, Record<string, number>>,
): Result {
  if (place < 0) return { value: text }
  const { kind, add, inputs } = nodes[place]
  if (kind === 'choice') {
    const first = plainly(nodes, inputs[0], text, new Map())
    if ('failure' in first) return first
    const arm = (first.value + add) % 3
    if (arm + 1 >= inputs.length)
      return { failure: `picked arm ${arm}; there are ${inputs.length - 1}, counted from 0` }
    const chosen = plainly(nodes, inputs[arm + 1], text, read)
    if (!('failure' in chosen)) {
      plainly(nodes, inputs[0], text, read)
      read.set(nameOf(nodes, place), { [`arm ${arm}`]: 1 })
    }
    return chosen
  }
  const results = inputs.map((input) => plainly(nodes, input, text, new Map()))
  const failed = results.find((result) => 'failure' in result)
  if (failed) return failed
  try {
    const value = combine(
      results.map((result) => ('value' in result ? result.value : 0)),
      add,
    )
    // Equal steps over equal values are one cell, counted once.
    read.set(
      `${kind} ${add} of ${inputs.map((input) => cellOf(nodes, input, text)).join(', ')}`,
      counts(value),
    )
    for (const input of inputs) plainly(nodes, input, text, read)
    return { value }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

/** Identity of a node's expression. */
function nameOf(nodes: readonly Node[], place: number): string {
  if (place < 0) return 'query'
  const { kind, add, inputs } = nodes[place]
  return `${kind} ${add} (${inputs.map((input) => nameOf(nodes, input)).join(' ')})`
}

/** Identity of a node's cell; a choice has that of its arm. */
function cellOf(nodes: readonly Node[], place: number, text: number): string {
  if (place < 0) return `query ${text}`
  const { kind, add, inputs } = nodes[place]
  if (kind !== 'choice')
    return `${kind} ${add} of ${inputs.map((input) => cellOf(nodes, input, text)).join(', ')}`
  const first = plainly(nodes, inputs[0], text, new Map())
  const arm = 'value' in first ? (first.value + add) % 3 : 0
  return cellOf(nodes, inputs[arm + 1], text)
}

/** Counters, with each reason to fall back counted by itself. */
function sumsOf({ counters, fallbacks }: QueryFacts): Record<string, number> {
  const { fallbacks: fell = 0, ...sums }: Record<string, number> = counters
  expect(fell).toBe(fallbacks.length)
  for (const reason of fallbacks) sums[reason] = (sums[reason] ?? 0) + 1
  return sums
}

const queriesOf = (texts: readonly number[]): Query[] =>
  texts.map((text, place) => ({ id: `q${place}`, text: String(text), metadata: {} }))
const texts = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 })

test('every value, failure and counter is what plain recursion gives, whoever asks first', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyNodes,
      texts,
      fc.shuffledSubarray([...Array(9).keys()], { minLength: 9 }),
      async (nodes, texts, order) => {
        const memo = createMemo(store, queriesOf(texts), () => 0)
        const built = expressionsOf(nodes)
        for (const place of order.filter((one) => one < nodes.length)) {
          const cells = await memo.cells(built[place])
          texts.forEach((text, query) => {
            const read = new Map<string, Record<string, number>>()
            const expected = plainly(nodes, place, text, read)
            const cell = cells[query]
            if ('failure' in expected) expect(cell?.failure?.message).toBe(expected.failure)
            else expect(valuesOf([cell?.value])).toEqual([expected.value])
            expect(memo.cell(built[place], query)).toBe(cell)
            if ('failure' in expected) return
            const sums: Record<string, number> = {}
            for (const one of read.values())
              for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count
            expect(sumsOf(memo.facts([built[place]], query))).toEqual(sums)
            // Twice the same root is read once.
            expect(sumsOf(memo.facts([built[place], built[place]], query))).toEqual(sums)
          })
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('a step sees of a query its id, text and metadata, none of its gold', async () => {
  const seen: unknown[] = []
  const peek = defineStep({
    name: 'peek',
    version: 1,
    run([query]: readonly unknown[]) {
      seen.push(query)
      return 0
    },
  } as NumberStep)
  const query = { id: 'q', text: 'who?', metadata: { year: 1 } }
  const gold = { category: 'names', answers: ['Lomm'], evidence: ['Lomm did'], answerable: true }
  for (const source of [sourceQuery(RECIPE), sourceById(RECIPE)])
    await createMemo(store, [{ ...query, ...gold }], () => 0).cells(peek([source], 0))
  expect(seen).toEqual([query, query])
})

describe('a block', () => {
  const blockOf = (runBlock: (all: readonly unknown[]) => unknown) =>
    defineStep({ name: 'mine', version: 1, runBlock } as NumberStep)([sourceQuery(RECIPE)], 0)

  test('ends the run where the set-up is wrong', async () => {
    const memo = createMemo(store, queriesOf([4]), () => 0)
    const wrong = () => {
      throw new UserError('no such level')
    }
    await expect(memo.cells(blockOf(wrong))).rejects.toThrow('no such level')
    const single = defineStep({ name: 'alone', version: 1, run: wrong } as NumberStep)
    await expect(memo.cells(single([sourceQuery(RECIPE)], 0))).rejects.toThrow('no such level')
  })
})
