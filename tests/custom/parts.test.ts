import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hashReads, unknownKeys } from '../../src/custom/files.ts'
import { createAsking, createGuard, isPromise, OutOfTime } from '../../src/custom/guard.ts'
import { loadCustom, tryOut } from '../../src/custom/load.ts'
import { codeLocation, diagnosticIn } from '../../src/custom/location.ts'
import { customMetric } from '../../src/custom/metric.ts'
import { UserError } from '../../src/errors.ts'
import { sha256 } from '../../src/store/hash.ts'
import { temporaryFolder } from '../temporary.ts'

afterEach(() => void vi.useRealTimers())
const never = new Promise<never>(() => {})

describe('a guard', () => {
  test('gives what the code gives, with its own errors as they are thrown', async () => {
    const guard = createGuard('/a/x.mjs')
    expect(guard.call('it', () => 3)).toBe(3)
    expect(await guard.wait('it', Promise.resolve(4))).toBe(4)
    const error = new Error('no')
    const { stack } = error
    const thrown = () =>
      guard.call('it', () => {
        throw error
      })
    expect(thrown).toThrow(error)
    expect(error.stack).toBe(stack)
    await expect(guard.wait('it', Promise.reject(error))).rejects.toBe(error)
    const nothing = () =>
      guard.call('it', () => {
        throw null
      })
    expect(nothing).toThrow()
  })

  test('ends a loop without end, with its file if it has one', () => {
    const loop = () => {
      for (;;);
    }
    expect(() => createGuard('/a/x.mjs').call('it', loop, 0.0005)).toThrow(
      new OutOfTime({ file: '/a/x.mjs', message: 'it gave no answer within 0.0005 s' }),
    )
    expect(() => createGuard().call('it', loop, 0.02)).toThrow(/^it gave no answer within 0.02 s$/)
  })

  test('waits for a promise for its seconds, 60 by default, and leaves no timer', async () => {
    vi.useFakeTimers()
    const guard = createGuard()
    for (const [seconds, given] of [
      [2, 2],
      [60, undefined],
    ] as const) {
      let error: unknown
      guard.wait('it', never, given).catch((thrown: unknown) => {
        error = thrown
      })
      await vi.advanceTimersByTimeAsync(1000 * seconds - 1)
      expect(error).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect(error).toEqual(new OutOfTime({ message: `it gave no answer within ${seconds} s` }))
    }
    await guard.wait('it', Promise.resolve(1))
    await guard.wait('it', Promise.reject(new Error('no'))).catch(() => {})
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('names the query that was late', () => {
    const late = new OutOfTime({ file: '/a/x.mjs', line: 2, message: 'it gave no answer within 1 s' })
    expect(late.onQuery('q1').diagnostics).toEqual([
      { file: '/a/x.mjs', line: 2, message: 'it gave no answer within 1 s on the query q1' },
    ])
  })

  test('asks for a value now, or for a promised one, and places each error', async () => {
    const { now, later } = createAsking(createGuard('/a/x.mjs'), '/a/x.mjs', 0.05)
    const fail = () => {
      throw new Error('no')
    }
    expect([now('it', () => 1), await later('it', () => 2), await later('it', async () => 3)]).toEqual([
      1, 2, 3,
    ])
    expect(() => now('it', fail)).toThrow(/^\/a\/x\.mjs: it failed: no$/)
    await expect(later('it', fail)).rejects.toThrow(/^\/a\/x\.mjs: it failed: no$/)
    await expect(later('it', async () => fail())).rejects.toThrow(/^\/a\/x\.mjs: it failed: no$/)
    await expect(later('it', () => never)).rejects.toThrow('it gave no answer within 0.05 s')
  })

  test.each([
    [Promise.resolve(), true],
    // biome-ignore lint/suspicious/noThenProperty: anything with a then is a promise
    [{ then: () => {} }, true],
    // biome-ignore lint/suspicious/noThenProperty: a then that is no function is none
    [{ then: 1 }, false],
    [null, false],
    [undefined, false],
    [3, false],
  ])('takes %j for a promise: %j', (value, expected) => {
    expect(isPromise(value as unknown)).toBe(expected)
  })
})

describe('the place of an error', () => {
  test.each([
    ['Error: no\n    at f (file:///a/x.mjs:12:5)', { line: 12, column: 5 }],
    ['/a/x.mjs:3\nexport {', { line: 3 }],
    ['at /b/y.mjs:1:1\nat /a/x.mjs:120:14\nat /a/x.mjs:7:1', { line: 120, column: 14 }],
    ['at /b/y.mjs:1:1', {}],
    ['/a/x.mjs: no line', {}],
    [undefined, {}],
  ])('in %j', (stack, place) => {
    expect(codeLocation('/a/x.mjs', stack)).toEqual(place)
  })

  test('precedes its message; a UserError has its own', () => {
    const error = Object.assign(new Error('no'), { stack: 'at /a/x.mjs:2:3' })
    expect(diagnosticIn('/a/x.mjs', 'it failed', error).diagnostics).toEqual([
      { file: '/a/x.mjs', line: 2, column: 3, message: 'it failed: no' },
    ])
    expect(diagnosticIn('/a/x.mjs', 'it failed', 'text').diagnostics).toEqual([
      { file: '/a/x.mjs', message: 'it failed: text' },
    ])
    const own = new UserError('own')
    expect(diagnosticIn('/a/x.mjs', 'it failed', own)).toBe(own)
  })
})

describe('files that a definition reads', () => {
  test('are hashed by their paths as given, from the folder of the definition', () => {
    const folder = temporaryFolder({ 'names.json': '[1]', 'more.json': '[2]' })
    const file = { path: join(folder, 'x.mjs') }
    const names = { 'names.json': sha256('[1]') }
    expect(hashReads(file, ['names.json', 'more.json'], {})).toEqual({ ...names, 'more.json': sha256('[2]') })
    expect(hashReads(file, ({ of }: { of: string }) => [`${of}.json`], { of: 'names' })).toEqual(names)
    expect(hashReads(file, undefined, {})).toEqual({})
    expect(() => hashReads(file, () => [''], {})).toThrow(
      `${file.path}: \`files\` must give a list of paths, as ["names.json"]`,
    )
  })

  test('and keys that it may not have, with the nearest one', () => {
    expect(unknownKeys({ name: 1, scor: 2, zzzzzz: 3 }, ['name', 'score'])).toEqual([
      'unknown key `scor` (did you mean "score"?)',
      'unknown key `zzzzzz`',
    ])
  })
})

describe('a file that is loaded', () => {
  const of = (text: string, known = sha256(text)) => {
    const path = join(temporaryFolder({ 'mine.mjs': text }), 'mine.mjs')
    return { path, loading: loadCustom(path, customMetric, known) }
  }

  test('may export a function, or a promise of one definition', async () => {
    for (const text of [
      '({ REL }) => ({ name: "f", summary: REL.summary, score() {} })',
      'async () => ({ name: "f", summary: "s", score() {} })',
    ])
      expect(await of(`export default ${text}`).loading).toMatchObject({ name: 'f', bounded: true })
  })

  test('is named with the place of its error', async () => {
    const { path, loading } = of('export default () => {\n  throw new Error("no")\n}')
    await expect(loading).rejects.toThrow(`${path}:2:9: could not be loaded: no`)
    const promised = of('export default async () => {\n  throw new Error("no")\n}')
    await expect(promised.loading).rejects.toThrow(`${promised.path}:2:9: could not be loaded: no`)
  })

  test('is refused if it has changed, or is a folder', async () => {
    const { path, loading } = of('export default 3', 'other')
    await expect(loading).rejects.toThrow(`${path}: was changed since the config was read; run it again`)
    const folder = temporaryFolder()
    await expect(loadCustom(folder, customMetric)).rejects.toThrow(
      `${folder}: is not a file; name the file that exports the metric`,
    )
  })

  test('is tried out first, within its time', async () => {
    const path = (name: string, text: string) => join(temporaryFolder({ [name]: text }), name)
    const loop = path('x.mjs', 'for (;;);')
    await expect(tryOut(loop, 0.2)).rejects.toThrow(`${loop}: was not imported within 0.2 s`)
    const module = path('x.cjs', '\nimport x from "node:fs"\n')
    await expect(tryOut(module)).rejects.toThrow(
      `${module}:2: could not be loaded: Cannot use import statement outside a module; name the file .mjs or .mts, or write "type": "module" into its package.json`,
    )
    const thrown = path('x.mjs', '\n\nthrow new Error("no")\n')
    await expect(tryOut(thrown)).rejects.toThrow(new RegExp(`^${thrown}:3:7: could not be loaded: no$`))
    await tryOut(path('x.mjs', 'export default 3'))
  })
})
