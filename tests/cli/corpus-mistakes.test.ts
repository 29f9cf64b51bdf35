import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { setUp } from './set-up.ts'

describe('a level of communities that does not exist', () => {
  const CONFIG = `dataset: towns
prepare: {graph: [rules, titles], communities: leiden, reports: extractive}
measures: [recall@5]
trials:
  - naive
  - graphrag-local: {communityLevel: 77}
  - graphrag-global: {variant: graphrag, communityLevel: 78}
  - graphrag-global: {variant: dynamic, communityLevel: 80}
`

  test.each(['plan', 'prepare', 'run'])(
    '`%s`: all of them with their places, nothing embedded',
    async (command) => {
      const { folder, call } = setUp(CONFIG)
      expect((await call('check', 'a.yaml')).code).toBe(0)
      const { code, out, err } = await call(command, 'a.yaml')
      expect(code).toBe(2)
      expect(out).toBe('')
      const deepest = 'does not exist: the deepest level of communities is \\d, 0 the coarsest'
      expect(err).toMatch(
        new RegExp(
          `^a\\.yaml:6:5: graphrag-local: communityLevel 77 ${deepest}\n` +
            `a\\.yaml:7:5: graphrag-global: communityLevel 78 ${deepest}\n` +
            `a\\.yaml:8:5: graphrag-global: communityLevel 80 ${deepest}\n$`,
        ),
      )
      expect(existsSync(join(folder, 'experiments'))).toBe(false)
      const made = readdirSync(join(folder, '.touchstone')).filter((name) =>
        /^(embed|lsa|vectors)/.test(name),
      )
      expect(made).toEqual([])
    },
  )

  test('of a grid, over several datasets: each point and dataset once', async () => {
    const { folder, call } = setUp(`dataset: [towns, more]
prepare: {graph: [rules, titles], communities: leiden, reports: extractive}
measures: [recall@5]
trials:
  - graphrag-local: {grid: {communityLevel: [0, 78, 79], relationships: [5, 10]}}
`)
    for (const command of ['plan', 'prepare', 'run']) {
      const { code, err } = await call(command, 'a.yaml')
      expect(code).toBe(2)
      expect(
        err
          .trimEnd()
          .split('\n')
          .map((line) => line.replace(/does.*coarsest /, '')),
      ).toEqual([
        'a.yaml:5:5: graphrag-local: communityLevel 78 (towns)',
        'a.yaml:5:5: graphrag-local: communityLevel 79 (towns)',
        'a.yaml:5:5: graphrag-local: communityLevel 78 (more)',
        'a.yaml:5:5: graphrag-local: communityLevel 79 (more)',
      ])
    }
    expect(existsSync(join(folder, 'experiments'))).toBe(false)
  })

  test('one that exists is run', async () => {
    const { call } = setUp(CONFIG.replace(/7[78]|80/g, '0'))
    expect((await call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
  })
})

describe('an OpenIE file', () => {
  const config = (graph: string, chunk = 'passages') => `dataset: towns
prepare:
  chunk: ${chunk}
  graph:
    - rules
    - openie: {path: ${graph}}
measures: [recall@5]
trials:
  - naive
  - hipporag
`
  const passage = (id: string) =>
    `${JSON.stringify({ id, entities: ['TownA0'], triples: [['TownA0', 'lives by', 'weaving']] })}\n`

  test('of another corpus is told by every command where the config names it, before anything is built', async () => {
    const { folder, call } = setUp(config('ours.jsonl'), {
      'ours.jsonl': passage('hotpot-1') + passage('hotpot-2'),
    })
    for (const command of ['check', 'plan', 'prepare', 'run']) {
      const { code, out, err } = await call(command, 'a.yaml')
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(
        /^a\.yaml:6:7: \S*ours\.jsonl belongs to another corpus: none of its 2 ids is .*"hotpot-1", ours: "d0"\)\n$/,
      )
    }
    expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'more', 'ours.jsonl', 'towns'])
    // Nobody reads it then.
    expect((await call('plan', 'a.yaml', '--only', 'naive')).code).toBe(0)
  })

  test('with chunks that our documents do not have is told once they are cut, at the same place', async () => {
    const { folder, call } = setUp(config('ours.jsonl', '{tokens: {size: 64, overlap: 0}}'), {
      'ours.jsonl': passage('d0#0900'),
    })
    expect((await call('check', 'a.yaml')).code).toBe(0)
    for (const command of ['plan', 'prepare', 'run']) {
      const { code, err } = await call(command, 'a.yaml')
      expect(code).toBe(2)
      expect(err).toMatch(
        /^a\.yaml:6:7: \S*ours\.jsonl belongs to another corpus: .*"d0#0900", ours: "d0#0000"\)\n$/,
      )
    }
    expect(existsSync(join(folder, 'experiments'))).toBe(false)
  })

  test('with lines that are none: `check` names each of them', async () => {
    const { call } = setUp(config('ours.jsonl'), {
      'ours.jsonl': `${passage('d0')}{\n{"id": 3}\n{"entities": []}\n`,
    })
    expect(await call('check', 'a.yaml')).toEqual({
      code: 2,
      out: '',
      err: 'ours.jsonl:2: is not valid JSON: expected property name or \'}\'\nours.jsonl:3: has neither "entities" nor "triples"\nours.jsonl:4: has no "id"\n',
    })
  })

  test('with a passage twice is refused; triples that are none are counted and said', async () => {
    const odd = JSON.stringify({ id: 'd1', entities: ['a', 1], triples: [['a', 'b'], ['a', 'b', 'c'], 'x'] })
    const { call } = setUp(config('ours.jsonl'), {
      'ours.jsonl': `${passage('d0')}${odd}\n${passage('other')}`,
    })
    const { code, out } = await call('check', 'a.yaml')
    expect(code).toBe(0)
    for (const notice of [
      '2 triples that are not three strings',
      '1 entities that are not strings',
      '1 passages that the corpus lacks',
    ])
      expect(out).toContain(`note: ours.jsonl: ${notice} are ignored\n`)
    const twice = setUp(config('ours.jsonl'), { 'ours.jsonl': `${passage('d0')}${odd}\n${passage('d0')}` })
    expect((await twice.call('check', 'a.yaml')).err).toBe(
      'ours.jsonl:3: the passage "d0" is already at line 1\n',
    )
  })

  test('with a document or a chunk of ours is in order', async () => {
    for (const [chunk, id] of [
      ['passages', 'd0'],
      ['{tokens: {size: 64, overlap: 0}}', 'd0'],
      ['{tokens: {size: 64, overlap: 0}}', 'd0#0000'],
    ]) {
      const { call } = setUp(config('ours.jsonl', chunk), { 'ours.jsonl': passage(id) })
      expect((await call('check', 'a.yaml')).code).toBe(0)
      const { code, out } = await call('plan', 'a.yaml')
      expect(code).toBe(0)
      expect(out).toMatch(/\nto embed: chunks, 12\n/)
    }
  })
})

test('a relation that the graph has not, or that is asked of other neighbours, is told with its place', async () => {
  const { call } = setUp(`dataset: towns
prepare: {chunk: headings, graph: [structure, {patterns: {rules: {names: [{text: '(town)'}]}}}]}
measures: [recall@5]
trials:
  - bm25
  - {bm25: {}, after: [{graph-boost: {relations: [name, next]}}], name: a} # no document has a second chunk
`)
  const { code, err } = await call('prepare', 'a.yaml')
  expect(code).toBe(2)
  expect(err).toBe(
    'a.yaml:6:5: bm25: the graph has no relation `name` (did you mean "names"?); there are contains, names, next, references\n',
  )
  const other = setUp(`dataset: towns
prepare: {graph: [structure]}
measures: [recall@5]
trials: [{bm25: {}, after: [{graph-boost: {over: entities, without: [next]}}]}]
`)
  const refused = await other.call('check', 'a.yaml')
  expect(refused.code).toBe(2)
  expect(refused.err).toBe(
    'a.yaml:4:10: `relations` and `without` choose among relationships, not among entities\n',
  )
  const similar = setUp(`dataset: towns
measures: [recall@5]
trials: [{bm25: {}, after: [{graph-boost: {over: titles, threshold: 0.5}}]}]
`)
  expect((await similar.call('check', 'a.yaml')).err).toBe(
    'a.yaml:3:10: `threshold` and `most` are of `over: similar`, not of titles\n',
  )
})
