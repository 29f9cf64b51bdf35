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
      test: 'craft',
      embedder,
      trial: 'bm25',
      recall: 1,
      passes: 3,
      repeats: 3,
      passed: true,
      unmet: [],
    })),
  )
  const strict = await call('test', 'strict.yaml')
  expect(strict.code).toBe(3)
  expect(strict.out).toContain('FAIL  craft')
  expect(strict.out).toContain('1 of 1 failed')
})

test('`test -t` runs the tests it names; recall and precision are shares, and `-e` embeds anew', async () => {
  const { call } = setUp(CONFIG, {
    'long.mjs': `export default ({ z }) => ({
  name: 'long',
  summary: 'lengths alone',
  params: z.strictObject({}),
  embed: (texts) => texts.map(({ length }) => new Float32Array([1, 1 / length])),
})
`,
    'near.yaml': `config: a.yaml
tests: [{name: near, question: TownF5 lives by honey., requires: [{chunk: d5}], trial: naive, depth: 1}]
`,
    'two.yaml': `config: a.yaml
tests:
  - {name: road, question: What does TownA0 live by?, requires: [{chunk: d0}, {text: week 3}], depth: 2, recall: 0.5}
  - {name: fair, question: What does TownA0 live by?, requires: [{chunk: d0}], trial: naive, precision: 1, recall: 1}
`,
  })
  const results = async (...argv: string[]) => {
    const { code, out } = await call('test', 'two.yaml', '--json', ...argv)
    return [code, JSON.parse(out)]
  }
  const road = {
    test: 'road',
    trial: 'bm25',
    recall: 0.5,
    precision: 0.5,
    passed: true,
    unmet: ['text week 3'],
  }
  const fair = { test: 'fair', trial: 'naive', recall: 1, precision: 0.1, passed: false, unmet: [] }
  expect(await results()).toMatchObject([3, [road, fair]])
  expect(await results('-t', 'road')).toMatchObject([0, [road]])
  expect(await results('-t', 'fair')).toMatchObject([3, [fair]])
  const { out } = await call('test', 'near.yaml', '--json', '-e', 'lsa', '-e', './long.mjs')
  expect(JSON.parse(out).map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false])
})

test('`test` reads bounds as they are said, and refuses what is empty or beyond them, with its line', async () => {
  const one = (name: string, question: string, requires: string, more: string) =>
    `config: a.yaml\ntests:\n  - name: ${name}\n    question: ${question}\n    requires: ${requires}\n${more}`
  const { call } = setUp(CONFIG, {
    'least.yaml': one('c', 'TownA0?', '[{chunk: d0}]', '    depth: 1\n    recall: 0\n    precision: 0\n'),
    'most.yaml': one(
      'x'.repeat(200),
      'TownA0?',
      '[{chunk: d0}]',
      '    depth: 1000\n    recall: 1\n    precision: 1\n',
    ),
    'bad.yaml': `config: a.yaml
tests:
  - name: ''
    question: ' '
    requires: []
    trial: ''
    depth: 1001
    recall: 1.1
    precision: -0.1
  - name: ${'x'.repeat(201)}
    question: TownA0?
    requires: [{chunk: ''}, {heading: ''}, {text: ''}]
`,
  })
  expect((await call('test', 'least.yaml')).code).toBe(0)
  expect((await call('test', 'most.yaml')).code).toBe(3)
  const { code, err } = await call('test', 'bad.yaml')
  expect(code).toBe(2)
  expect(
    err
      .trim()
      .split('\n')
      .map((line) => line.match(/^bad\.yaml:(\d+:\d+)/)?.[1]),
  ).toEqual(['3:11', '4:15', '5:15', '6:12', '7:12', '8:13', '9:16', '10:11', '12:24', '12:39', '12:51'])
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
