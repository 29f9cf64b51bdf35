import { expect, test } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { requireKeys } from '../../../src/experiment/plan/watched-models.ts'
import type { CachedModel } from '../../../src/models/completions/cached-model.ts'

const model = (name: string, thrown?: unknown) =>
  ({
    name,
    requireKey() {
      if (thrown) throw thrown
    },
  }) as CachedModel
const keyless = (name: string) => model(name, new UserError(`${name}: set the key`))
const at = { file: 'a.yaml', line: 3, column: 5 }

test('every model without a key is told, once, with its place', () => {
  const errors = (models: readonly CachedModel[]) => {
    try {
      requireKeys(models, { b: at })
      return []
    } catch (error) {
      return (error as UserError).diagnostics
    }
  }
  expect(errors([])).toEqual([])
  expect(errors([model('a'), model('b')])).toEqual([])
  expect(errors([model('a'), keyless('b')])).toEqual([{ ...at, message: 'b: set the key' }])
  expect(errors([keyless('a'), keyless('b'), model('c'), keyless('b')])).toEqual([
    { message: 'a: set the key' },
    { ...at, message: 'b: set the key' },
  ])
  expect(() => requireKeys([model('a', new TypeError('a bug'))], {})).toThrow(TypeError)
})
