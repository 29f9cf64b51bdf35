import { expect, test } from 'vitest'
import { collectDiagnostics, UserError } from '../src/errors.ts'

test('errors of several actions are reported together, each once', async () => {
  const diagnostics = collectDiagnostics()
  const fail = () => {
    throw new UserError([{ message: 'first' }, { message: 'second' }])
  }
  expect(diagnostics.attempt(() => 1)).toBe(1)
  expect(diagnostics.attempt(fail)).toBeUndefined()
  expect(await diagnostics.attemptAsync(async () => fail())).toBeUndefined()
  diagnostics.attempt(fail, ({ message }) => ({ file: 'a.yaml', message }))
  expect(() => diagnostics.throwIfAny()).toThrow(
    new UserError([
      { message: 'first' },
      { message: 'second' },
      { file: 'a.yaml', message: 'first' },
      { file: 'a.yaml', message: 'second' },
    ]),
  )
})

test('a bug is not collected', async () => {
  const diagnostics = collectDiagnostics()
  const bug = () => {
    throw new TypeError('x is undefined')
  }
  expect(() => diagnostics.attempt(bug)).toThrow(TypeError)
  await expect(diagnostics.attemptAsync(async () => bug())).rejects.toThrow(TypeError)
  expect(() => diagnostics.throwIfAny()).not.toThrow()
})
