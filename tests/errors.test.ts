import { expect, test } from 'vitest'
import { allOrDiagnostics, collectDiagnostics, formatDiagnostic, UserError } from '../src/errors.ts'

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

test.each([
  [{ message: 'wrong' }, 'wrong'],
  [{ file: 'a.yaml', message: 'wrong' }, 'a.yaml: wrong'],
  [{ file: 'a.yaml', line: 3, message: 'wrong' }, 'a.yaml:3: wrong'],
  [{ file: 'a.yaml', line: 3, column: 7, message: 'wrong' }, 'a.yaml:3:7: wrong'],
])('%j reads as %s', (diagnostic, text) => {
  expect(formatDiagnostic(diagnostic)).toBe(text)
  expect(new UserError(diagnostic)).toMatchObject({
    name: 'UserError',
    message: text,
    diagnostics: [diagnostic],
  })
  expect(new UserError([diagnostic, { message: 'more' }]).message).toBe(`${text}\nmore`)
})

test('of several tasks all results are given, or the errors of every one', async () => {
  expect(await allOrDiagnostics([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
  const tasks = ['a', 'b'].map((message) => Promise.reject(new UserError(message)))
  await expect(allOrDiagnostics([...tasks, Promise.resolve(1)])).rejects.toThrow(
    new UserError([{ message: 'a' }, { message: 'b' }]),
  )
})
