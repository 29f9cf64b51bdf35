import { describe, expect, test } from 'vitest'
import {
  allOrDiagnostics,
  clip,
  collectDiagnostics,
  distinctDiagnostics,
  fewOfEachKind,
  formatDiagnostic,
  UserError,
} from '../src/errors.ts'

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

describe('what is long', () => {
  test('a line of more than 1000 characters loses its middle', () => {
    const whole = 'a'.repeat(500) + 'b'.repeat(500)
    const long = `${'a'.repeat(500)}c${'b'.repeat(500)}`
    const cut = `${'a'.repeat(500)} ... ${'b'.repeat(500)}`
    expect(clip(whole)).toBe(whole)
    expect(clip(`${long}\n${whole}\nshort`)).toBe(`${cut}\n${whole}\nshort`)
    expect(new UserError({ file: long, message: long }).message).toBe(`${cut}: ${cut}`)
  })

  test('of more than 200 diagnostics the first 200 are shown, and the others are counted', () => {
    const many = (count: number) =>
      new UserError(Array.from({ length: count }, (_, at) => ({ message: `m${at}` }))).message.split('\n')
    expect(many(200)).toHaveLength(200)
    expect(many(200).at(-1)).toBe('m199')
    expect(many(203).slice(199)).toEqual(['m199', 'and 3 more'])
  })
})

describe('diagnostics of a kind', () => {
  const lines = (count: number, file = 'a.jsonl') =>
    Array.from({ length: count }, (_, at) => ({ file, message: `line ${at} has "x${at}" and 'y${at}'` }))

  test('are all shown up to six', () => {
    expect(fewOfEachKind(lines(6))).toEqual(lines(6))
  })

  test('are counted from the sixth on, each file apart', () => {
    const other = { file: 'a.jsonl', message: 'is empty' }
    const [first, ...rest] = lines(8)
    expect(fewOfEachKind([first, other, ...rest, ...lines(1, 'b.jsonl')])).toEqual([
      ...lines(5),
      { file: 'a.jsonl', message: '3 more like these, the next: line 5 has "x5" and \'y5\'' },
      other,
      ...lines(1, 'b.jsonl'),
    ])
  })
})

test('a repetition is left out', () => {
  const [one, two] = [{ message: 'one' }, { file: 'a', message: 'one' }]
  expect(distinctDiagnostics([one, two, { message: 'one' }])).toEqual([one, two])
})

test('of several tasks all results are given, or the errors of every one', async () => {
  expect(await allOrDiagnostics([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
  const tasks = ['a', 'b'].map((message) => Promise.reject(new UserError(message)))
  await expect(allOrDiagnostics([...tasks, Promise.resolve(1)])).rejects.toThrow(
    new UserError([{ message: 'a' }, { message: 'b' }]),
  )
})

test('a single diagnostic that was added is thrown', () => {
  const diagnostics = collectDiagnostics()
  diagnostics.add({ message: 'one' })
  expect(diagnostics.all()).toEqual([{ message: 'one' }])
  expect(() => diagnostics.throwIfAny()).toThrow(new UserError('one'))
})
