import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fits,
  readTests,
  requireKnown,
  scoreTest,
  testsSchema,
} from '../../src/experiment/retrieval-tests.ts'
import { temporaryFolder } from '../temporary.ts'

const chunk = (id: string, section: readonly string[], text = '') => ({
  id,
  section,
  title: section.at(-1) ?? '',
  text,
})

describe('a requirement', () => {
  it.each([
    [{ chunk: 'a' }, true],
    [{ chunk: 'A' }, false],
    [{ heading: 'grappled' }, true],
    [{ heading: 'Conditions  >  Grappled' }, true],
    [{ heading: 'Rules > Conditions > Grappled' }, true],
    [{ heading: '`Conditions` {#conditions} > **Grappled**' }, true],
    [{ heading: 'Conditions' }, false],
    [{ heading: 'Rules > Grappled' }, false],
    [{ heading: 'More > Rules > Conditions > Grappled' }, false],
    [{ text: 'SPEED is 0' }, true],
    [{ text: 'speed is 1' }, false],
  ])('%j: %s', (required, met) => {
    expect(fits(required, chunk('a', ['Rules', 'Conditions', 'Grappled'], 'Your speed\n  is 0.'))).toBe(met)
  })
})

it('recall counts requirements, precision chunks', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
  fc.assert(
    fc.property(
      ids,
      ids.filter(({ length }) => length > 0),
      (found, wanted) => {
        const score = scoreTest(
          wanted.map((id) => ({ chunk: id })),
          found.map((id) => chunk(id, [])),
        )
        const met = wanted.filter((id) => found.includes(id))
        expect(score.recall).toBeCloseTo(met.length / wanted.length)
        expect(score.precision).toBeCloseTo(found.length === 0 ? 0 : met.length / found.length)
        expect(score.unmet.map((place) => wanted[place])).toEqual(wanted.filter((id) => !found.includes(id)))
      },
    ),
  )
})

it('a requirement is a chunk, a heading or a text of any length, and one of them', () => {
  const parsed = (...requires: object[]) =>
    testsSchema.safeParse({ config: 'a.yaml', tests: [{ name: 'n', question: 'q', requires }] }).success
  for (const key of ['chunk', 'heading', 'text'])
    expect([parsed({ [key]: 'x' }), parsed({ [key]: 'several words' }), parsed({ [key]: '' })]).toEqual([
      true,
      true,
      false,
    ])
  expect([parsed({}), parsed({ chunk: 'a', text: 'b' }), parsed()]).toEqual([false, false, false])
})

describe('a file of retrieval tests', () => {
  const one = { name: 'n', question: 'q', requires: [{ chunk: 'a' }] }
  const takes = (more: object, whole: object = {}) =>
    testsSchema.safeParse({ config: 'a.yaml', tests: [{ ...one, ...more }], ...whole }).success

  it.each([
    ['depth', [1, 1000], [0, 1001, 1.5]],
    ['recall', [0, 1], [-0.1, 1.1]],
    ['precision', [0, 1], [-0.1, 1.1]],
    ['trial', ['x'], ['']],
  ])('may set `%s` for all tests and for one', (key, allowed, refused) => {
    for (const value of allowed)
      expect([takes({ [key]: value }), takes({}, { [key]: value })]).toEqual([true, true])
    for (const value of refused)
      expect([takes({ [key]: value }), takes({}, { [key]: value })]).toEqual([false, false])
  })

  it('has tests with a name of 1 to 200 characters and a question', () => {
    const names = ['', 'x', 'x'.repeat(200), 'x'.repeat(201)]
    expect(names.map((name) => takes({ name }))).toEqual([false, true, true, false])
    expect([takes({ question: ' ' }), takes({}, { tests: [] }), takes({}, { config: '' })]).toEqual([
      false,
      false,
      false,
    ])
    expect(
      testsSchema.parse({ config: 'a', tests: [{ ...one, question: ' who? ' }] }).tests[0].question,
    ).toBe('who?')
  })

  const read = (text: string) => readTests(join(temporaryFolder({ 'tests.yaml': text }), 'tests.yaml'))

  it('names the line of a name that is there twice', () => {
    const test = (name: string) => `  - {name: ${name}, question: q, requires: [{chunk: a}]}\n`
    expect(() => read(`config: a.yaml\ntests:\n${test('x')}${test('y')}${test('x')}`)).toThrow(
      /tests.yaml:5:\d+: .*another test has the name `x`$/,
    )
  })

  it('names every requirement that no chunk meets, with its line and what is near', () => {
    const file = read(`config: a.yaml
tests:
  - name: one
    question: q
    requires:
      - chunk: town-1
      - chunk: town-2
      - heading: Grapled
      - text: Speed is 1
  - name: two
    question: q
    requires: [{text: speed is 0}, {chunk: other}]
`)
    const chunks = [chunk('town-1', ['Conditions', 'Grappled'], 'Your speed is 0.'), chunk('town-3', [], '')]
    const failure = (() => {
      try {
        return requireKnown(file, chunks)
      } catch (error) {
        return (error as Error).message.split('\n').map((line) => line.replace(/^.*tests.yaml/, ''))
      }
    })()
    expect(failure).toEqual([
      expect.stringMatching(/^:7:\d+: .*no chunk has the id `town-2` \(did you mean "town-[13]"\?\)$/),
      expect.stringMatching(/^:8:\d+: .*no chunk is under `Grapled` \(did you mean "Grappled"\?\)$/),
      expect.stringMatching(/^:9:\d+: .*no chunk contains the whole text$/),
      expect.stringMatching(/^:12:\d+: .*no chunk has the id `other`$/),
    ])
    expect(requireKnown({ ...file, value: { ...file.value, tests: [] } }, chunks)).toBeUndefined()
  })

  it('a chunk without headings is under its title', () => {
    const titled = { ...chunk('a', []), title: 'Salt  Works' }
    expect([fits({ heading: 'salt works' }, titled), fits({ heading: 'works' }, titled)]).toEqual([
      true,
      false,
    ])
  })
})
