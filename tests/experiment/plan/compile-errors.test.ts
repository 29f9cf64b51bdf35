import { describe, expect, test } from 'vitest'
import { LacksPreparation, type Recipe } from '../../../src/corpus/recipe.ts'
import { UserError } from '../../../src/errors.ts'
import { buildTrial, callApply, callRetrieve } from '../../../src/experiment/plan/compile-errors.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'

const at = { file: 'a.yaml', line: 3, column: 5 }
const trial = (more: object = {}) =>
  ({ strategy: 'raptor', name: 'my trial', location: at, ...more }) as never
const recipe = { chunk: { name: 'passages', params: {} } } as unknown as Recipe

function diagnosticsOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof UserError) return error.diagnostics
    throw error
  }
  return undefined
}

describe('a trial is built', () => {
  const lacking =
    (...keys: ('graph' | 'communities' | 'reports' | 'tree')[]) =>
    (over: Recipe) => {
      for (const key of keys) if (!over[key]) throw new LacksPreparation(key)
      return over
    }

  test('from the recipe as it is', () => {
    expect(buildTrial(trial(), recipe, (over) => over)).toBe(recipe)
  })

  test('or every line that `prepare` lacks is told at once, in the order of `prepare`', () => {
    const told = (more: object = {}) =>
      diagnosticsOf(() => buildTrial(trial(more), recipe, lacking('tree', 'communities', 'graph')))
    const lines = ['graph: [rules, titles]', 'communities: leiden', 'tree: extractive']
    const words = `reads what \`prepare\` does not name; add to \`prepare\`:${lines.map((line) => `\n    ${line}`).join('')}`
    expect(told()).toEqual([{ ...at, message: `raptor ${words}` }])
    expect(told({ sha256: 'x', strategy: '/own/mine.mjs' })).toEqual([
      { ...at, message: `my trial ${words}` },
    ])
  })

  test('or its other errors are told at its place, unless they have a file of their own', () => {
    const own = { file: 'graph.json', line: 9, message: 'is no graph' }
    const wrong = (over: Recipe) => {
      lacking('graph')(over)
      throw new UserError([{ message: 'no such level' }, own])
    }
    expect(diagnosticsOf(() => buildTrial(trial(), recipe, wrong))).toEqual([
      { ...at, message: expect.stringMatching(/^raptor reads what.*\n {4}graph: \[rules, titles\]$/) },
      { ...at, message: 'no such level' },
      own,
    ])
    expect(diagnosticsOf(() => buildTrial(trial(), { ...recipe, graph: [] }, wrong))).toHaveLength(2)
    const bug = () =>
      buildTrial(trial(), recipe, () => {
        throw new TypeError('a bug')
      })
    expect(bug).toThrow(TypeError)
  })
})

describe('code of one’s own', () => {
  const mine = trial({ sha256: 'x', strategy: '/own/mine.mjs' })
  const ranking = sourceQuery(recipe)
  const retrieve = (given: unknown, of = mine) =>
    callRetrieve(of, { retrieve: () => given } as never, {} as never)
  const GIVES = 'mine.mjs: `retrieve` gives {ranking, evidence?}, each a step applied to its inputs;'

  test('gives a ranking and evidence as steps', () => {
    expect(retrieve({ ranking })).toEqual({ ranking })
    expect(retrieve({ ranking, evidence: ranking })).toEqual({ ranking, evidence: ranking })
    for (const given of [undefined, null, {}, { ranking: [1] }, { ranking: 1, evidence: 2 }])
      expect(diagnosticsOf(() => retrieve(given))).toEqual([{ message: `${GIVES} ranking is not` }])
    expect(diagnosticsOf(() => retrieve({ ranking, evidence: [] }))).toEqual([
      { message: `${GIVES} evidence is not` },
    ])
    // What is built in is covered by tests.
    expect(retrieve(undefined, trial())).toBeUndefined()
  })

  test('that throws is told with its line, at the place of the trial', () => {
    const apply = (error: unknown, file: object | undefined = { path: '/own/mine.mjs' }) =>
      callApply(mine, file as never, () => {
        throw error
      })
    const thrown = Object.assign(new Error('no luck'), {
      stack: 'Error: no luck\n    at apply (file:///own/mine.mjs:3:7)\n    at x (file:///else.mjs:1:1)',
    })
    expect(diagnosticsOf(() => apply(thrown))).toEqual([
      { ...at, message: 'mine.mjs:3:7: `apply` failed: no luck' },
    ])
    expect(diagnosticsOf(() => apply('no luck'))).toEqual([
      { ...at, message: 'mine.mjs: `apply` failed: no luck' },
    ])
    expect(diagnosticsOf(() => apply(new UserError('too late')))).toEqual([{ message: 'too late' }])
    expect(() => apply(new TypeError('a bug'), { path: undefined })).toThrow(TypeError)
  })

  test('applies a step', () => {
    const apply = (given: unknown) => callApply(mine, { path: '/own/mine.mjs' } as never, () => given)
    expect(apply(ranking)).toBe(ranking)
    expect(diagnosticsOf(() => apply({}))).toEqual([
      { message: 'mine.mjs: `apply` gives a step applied to its inputs' },
    ])
    expect(callApply(trial(), undefined, () => 3)).toBe(3)
  })
})
