import { expect, test } from 'vitest'
import { setUp } from './set-up.ts'

const CONFIG = 'dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5]\ntrials: [bm25, naive]\n'

const tests = (requires: string, more = '') =>
  `config: a.yaml\ntests:\n  - name: craft\n    question: What does TownA0 live by?\n    requires:\n${requires}${more}`

test('`test` passes and fails by recall and precision, over repeats and embedders', async () => {
  const { call } = setUp(CONFIG, {
    'good.yaml': tests('      - heading: TownA0\n      - text: lives by weaving\n'),
    'strict.yaml': tests('      - chunk: d0\n', '    depth: 5\n    precision: 0.5\n'),
  })
  const good = await call('test', 'good.yaml', '-n', '3', '-e', 'lsa', '-e', '{lsa: {dims: 4}}', '--json')
  expect(good).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(good.out)).toMatchObject(
    ['lsa', '{lsa: {dims: 4}}'].map((embedder) => ({
      ...{
        test: 'craft',
        embedder,
        trial: 'bm25',
        recall: 1,
        passes: 3,
        repeats: 3,
        passed: true,
        unmet: [],
      },
    })),
  )
  const strict = await call('test', 'strict.yaml')
  expect(strict.code).toBe(3)
  expect(strict.out).toContain('FAIL  craft')
  expect(strict.out).toContain('1 of 1 failed')
})

test('`test` refuses a test of what the corpus does not hold, with its line', async () => {
  const { call } = setUp(CONFIG, {
    'bad.yaml': tests('      - chunk: d99\n      - heading: TownA1\n      - text: no such thing\n'),
    'shape.yaml': tests('      - {}\n', '    depth: 0\n'),
    'good.yaml': tests('      - chunk: d0\n'),
  })
  expect(await call('test', 'bad.yaml')).toEqual({
    code: 2,
    out: '',
    err: `bad.yaml:6:16: no chunk has the id \`d99\` (did you mean "d9"?)
bad.yaml:7:18: no chunk is under \`TownA1\` (did you mean "TownA0"?)
bad.yaml:8:15: no chunk contains the whole text
`,
  })
  const shape = await call('test', 'shape.yaml')
  expect(shape.code).toBe(2)
  expect(shape.err).toMatch(
    /shape\.yaml:6:9: .*needs one of `chunk`, `heading`, `text`[\s\S]*shape\.yaml:7:12: .*depth/,
  )
  const unknown = await call('test', 'good.yaml', '-t', 'crafts')
  expect(unknown).toMatchObject({ code: 2, err: 'there is no test `crafts` (did you mean "craft"?)\n' })
})
