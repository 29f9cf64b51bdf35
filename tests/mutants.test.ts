import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { testsByFile } from '../scripts/mutants/nearby.ts'
import { mutantsOf } from '../scripts/mutants/plant.ts'
import { withProbes } from '../scripts/mutants/probe.ts'
import { plantedIn } from '../scripts/mutants/sources.ts'
import { withSwitches } from '../scripts/mutants/switches.ts'

/** The source with each mutant in turn, by its kind. */
function planted(source: string): string[] {
  return mutantsOf('a.ts', source).map(
    ({ start, end, kind, after }) => `${kind}: ${source.slice(0, start)}${after}${source.slice(end)}`,
  )
}

test('a bound, a condition, a default and a constant are changed one at a time', () => {
  expect(planted('if (a < 5) b = c ?? d')).toEqual([
    'negation: if (!(a < 5)) b = c ?? d',
    'boundary: if (a <= 5) b = c ?? d',
    'constant: if (a < 6) b = c ?? d',
    'default: if (a < 5) b = c',
  ])
  expect(planted('x = a && b === 1')).toEqual([
    'logic: x = a || b === 1',
    'equality: x = a && b !== 1',
    'constant: x = a && b === 0',
  ])
})

test('an order is turned, a filter removed, the first taken for all', () => {
  expect(planted('x.sort((a, b) => a - b)')).toEqual([
    'call: void 0',
    'removed: x',
    'order: x.sort((a, b) => -(a - b))',
    'arithmetic: x.sort((a, b) => a + b)',
  ])
  expect(planted('const y = x.filter(keep)[0]')).toEqual([
    'first or last: const y = x.filter(keep).at(-1)',
    'removed: const y = x[0]',
    'constant: const y = x.filter(keep)[1]',
  ])
  expect(planted('for (const one of all) take(one)')).toEqual([
    'first of several: for (const one of [...all].slice(0, 1)) take(one)',
    'call: for (const one of all) void 0',
  ])
})

test('types, imports, texts and versions stay as they are', () => {
  expect(
    planted("import a from 'a'\ninterface B { c: 1 }\ntype D = 2 | 3\nconst e = `${a} x` + 'y'\n"),
  ).toEqual([])
  expect(planted('const step = { version: 2 }')).toEqual([])
  expect(planted('const f = g as 1')).toEqual([])
  expect(planted('const timeout = 30_000')).toEqual([])
  expect(planted('const most = 2 ** 20')).toEqual([])
  expect(planted('const text = value.toString()')).toEqual([])
  expect(mutantsOf('a.ts', 'a\nb\nif (c) d').map(({ line }) => line)).toEqual([3])
})

test('a call can stand before the statement or the expression around a change; none at the top level', () => {
  const source = 'const a = 1\nconst f = (x) => x + 2\nfunction g(y) {\n  if (y > 3) return 4\n}\n'
  const around = mutantsOf('a.ts', source).map(({ before, around }) => [
    before,
    around && source.slice(around.start, around.end),
  ])
  expect(around).toEqual([
    ['1', undefined],
    ['x + 2', 'x + 2'],
    ['2', 'x + 2'],
    ['y > 3', 'if (y > 3) return 4'],
    ['y > 3', 'if (y > 3) return 4'],
    ['3', 'if (y > 3) return 4'],
    ['4', 'if (y > 3) return 4'],
  ])
  expect(withProbes('/p.mjs', 'a.ts', source, mutantsOf('a.ts', source))).toBe(
    `import { probe as __probe } from "/p.mjs"; const a = 1\nconst f = (x) => (__probe("a.ts:29"), x + 2)\nfunction g(y) {\n  __probe("a.ts:53");if (y > 3) return 4\n}\n`,
  )
})

test('the tests of a file begin with that of its name, then those that import it', () => {
  const tests = testsByFile(resolve(import.meta.dirname, '..'))
  expect(tests('src/corpus/filter.ts')[0]).toBe('tests/corpus/filter.test.ts')
  expect(tests('src/kernel.ts')[0]).toBe('tests/kernel.test.ts')
  expect(tests('src/retrieve/transforms/min-score.ts')[0]).toBe('tests/reference.test.ts')
  const distant = tests('src/text/dates.ts')
  expect(distant).toContain('tests/corpus/filter.test.ts')
  expect(distant.some((file) => file.startsWith('tests/heavy/') || file.startsWith('tests/browser/'))).toBe(
    false,
  )
})

describe('a source with a switch for each change', () => {
  const numbered = (source: string) => mutantsOf('a.ts', source).map((one, id) => ({ ...one, id }))
  const switched = (source: string) => withSwitches('a.ts', source, numbered(source))

  /** What the last expression of a source is with each of its changes; the first without any. */
  function values(source: string): unknown[] {
    const mutants = numbered(source)
    const code = `(${withSwitches('a.ts', `(${source})`, numbered(`(${source})`)).replaceAll('globalThis.$mutant', '$mutant')})`
    return [-1, ...mutants.map(({ id }) => id)].map((planted) =>
      new Function('$mutant', `return ${code}`)((id: number) => id === planted),
    )
  }

  test.each<[string, unknown[]]>([
    ['1 < 1', [false, true, false, false]],
    ['[3, 1, 2].toSorted((a, b) => a - b)[0]', [1, 0, 1, 2, 3]],
    ['Math.max(2, 5)', [5, 2, 5, 6]],
    ['null ?? true', [true, null, false]],
  ])('%s has the value of each change in turn', (source, expected) => {
    const [original, ...changed] = values(source)
    expect(original).toEqual(expected[0])
    expect(changed).toHaveLength(mutantsOf('a.ts', source).length)
    expect(new Set(changed)).toEqual(new Set(expected.slice(1)))
  })

  test('keeps statements apart, and leaves keys, targets and optional chains as they are', () => {
    expect(switched('let a = b\nc && d')).toBe(
      'let a = b\nvoid 0, (globalThis.$mutant(0) ? (c || d) : (c && d))',
    )
    expect(switched('a[0] = { 1: b }')).toBe('a[(globalThis.$mutant(1) ? (1) : (0))] = { 1: b }')
    expect(switched('f()\n;[a] = b')).toBe('void 0, (globalThis.$mutant(0) ? (void 0) : (f()))\n;[a] = b')
    expect(switched('a?.slice(0).b')).toBe('a?.slice((globalThis.$mutant(1) ? (1) : (0))).b')
    expect(switched('x?.max(1)')).toContain('?.[globalThis.$mutant(')
  })

  test('is a program, for every file of some folders', () => {
    const root = resolve(import.meta.dirname, '..')
    const all = plantedIn(root, ['view/']).map((one, id) => ({ ...one, id }))
    const wrong = [...new Set(all.map(({ file }) => file))].filter((file) => {
      const source = readFileSync(resolve(root, file), 'utf8')
      try {
        transformSync(
          withSwitches(
            file,
            source,
            all.filter((one) => one.file === file),
          ),
          { loader: 'ts' },
        )
        return false
      } catch {
        return true
      }
    })
    expect(wrong).toEqual([])
  })
})
