import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hashReads } from '../../src/custom/files.ts'
import { createGuard, OutOfTime } from '../../src/custom/guard.ts'
import { loadCustom, tryOut } from '../../src/custom/load.ts'
import { customMetric } from '../../src/custom/metric.ts'
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
    for (const [seconds, limit] of [
      [2, 2],
      [60, undefined],
    ] as const) {
      let error: unknown
      guard.wait('it', never, limit).catch((thrown: unknown) => {
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
})

describe('a file that is loaded', () => {
  const of = (text: string, hash = sha256(text)) => {
    const path = join(temporaryFolder({ 'mine.mjs': text }), 'mine.mjs')
    return { path, loading: loadCustom(path, customMetric, hash) }
  }

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
