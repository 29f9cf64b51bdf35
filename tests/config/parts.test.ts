import { describe, expect, test } from 'vitest'
import { catalog } from '../../src/config/catalog.ts'
import { matchTrials, nameTrials, type UnnamedTrial } from '../../src/config/names.ts'
import { loadParts } from '../../src/config/parts.ts'
import type { Problem } from '../../src/config/reading.ts'
import { readSource } from '../../src/config/source.ts'

describe('names of trials', () => {
  const draft = (id: string, more: object = {}, varied: object = {}): UnnamedTrial =>
    ({
      path: ['trials', id],
      given: undefined,
      label: 'bm25',
      facets: {},
      row: id,
      trial: { id, varied },
      ...more,
    }) as never
  const named = (...drafts: UnnamedTrial[]) => {
    const problems: Problem[] = []
    return [
      nameTrials(drafts, problems).map(({ trial }) => trial.name),
      problems.map(({ path, message }) => [path.join('.'), message]),
    ]
  }

  test('say what varies, and what else tells two of one name apart', () => {
    expect(named(draft('1'), draft('2', { label: 'dense' }, { k: 5 }))).toEqual([['bm25', 'dense k=5'], []])
    expect(
      named(
        draft('1', { facets: { stemmer: 'none', pool: 5 } }, { k: 1 }),
        draft('2', { facets: { stemmer: 'english', pool: 5 } }, { k: 1 }),
        draft('3', { facets: { stemmer: 'english', pool: 5 } }, { k: 2 }),
      ),
    ).toEqual([['bm25 k=1 stemmer=none', 'bm25 k=1 stemmer=english', 'bm25 k=2'], []])
    expect(named(draft('1', { facets: { a: 1 } }), draft('2', { facets: { b: 1 } }))).toEqual([
      ['bm25 a=1', 'bm25 b=1'],
      [],
    ])
    expect(named(draft('1', {}, { k: 1 }), draft('2', { label: 'dense' }, { k: 1 }))).toEqual([
      ['bm25', 'dense'],
      [],
    ])
    expect(
      named(
        draft('1', { facets: { k: 9 } }, { k: 1 }),
        draft('2', { facets: { k: 8 } }, { k: 1 }),
        draft('3', { label: 'dense' }),
      ),
    ).toEqual([
      ['bm25 k=1', 'bm25 k=1', 'dense'],
      [['trials.2', 'another trial has the generated name `bm25 k=1`; give one a `name`']],
    ])
  })

  test('match by name or id, strategy, short form or beginning; a plain one before others', () => {
    const trial = (name: string, strategy: string, more = {}) => ({
      id: `id-${name}`,
      name,
      strategy,
      before: [],
      after: [],
      ...more,
    })
    const trials = [
      trial('hybrid fusion=rrf alpha=0.5', 'hybrid'),
      trial('hybrid fusion=max alpha=0.5', 'hybrid'),
      trial('mine k=1', '/x/own.mjs'),
      trial('bm25', 'bm25'),
      trial('bm25 expand', 'bm25', { before: ['expand'] }),
      trial('dense a', 'dense', { after: ['mmr'] }),
      trial('dense b', 'dense', { filter: {} }),
    ] as never as Parameters<typeof matchTrials>[1]
    const match = (name: string) => matchTrials(name, trials).map((trial) => trial.name)
    expect([
      match('bm25'),
      match('id-bm25 expand'),
      match('own'),
      match('own.mjs'),
      match('mine'),
      match('nothing'),
    ]).toEqual([['bm25'], ['bm25 expand'], ['mine k=1'], ['mine k=1'], ['mine k=1'], []])
    expect([match('hybrid rrf 0.5'), match('hybrid rrf'), match('hybrid r')]).toEqual([
      ['hybrid fusion=rrf alpha=0.5'],
      ['hybrid fusion=rrf alpha=0.5'],
      [],
    ])
    expect([match('hybrid').length, match('dense')]).toEqual([2, ['dense a', 'dense b']])
    const without = trials.filter(({ name }) => name !== 'bm25').concat(trial('bm25 k=1', 'bm25') as never)
    expect(matchTrials('bm25', without).map((trial) => trial.name)).toEqual(['bm25 k=1'])
  })
})

describe('a config', () => {
  const source = (text: string, set: string[] = [], env = {}) =>
    readSource('dir/c.yaml', { text, set, env, folder: '/w' })

  test.each<[string, string[], object]>([
    ['a: 1', ['b=2', 'a=x'], { a: 'x', b: 2 }],
    ['a: {b: 1}', ['a.b=2', 'a.c=[1, 2]'], { a: { b: 2, c: [1, 2] } }],
    ['a: [1, {b: 2}]', ['a.1.b=3', 'a.0=x'], { a: ['x', { b: 3 }] }],
    ['a: lsa', ['a.lsa.dims=5'], { a: { lsa: { dims: 5 } } }],
    ['a:', ['a.b=1'], { a: { b: 1 } }],
    ['a: 1', ['toString.b=1'], { a: 1, toString: { b: 1 } }],
    ['a: 1', ['b=x=y'], { a: 1, b: 'x=y' }],
    ['a: 1', ['b.0=x'], { a: 1, b: { 0: 'x' } }],
  ])('%j with --set %j', (text, set, value) => {
    const parsed = source(text, set)
    expect([parsed.value, parsed.diagnostics, parsed.problems]).toEqual([value, [], []])
  })

  test.each([
    'HF_TOKEN',
    'MY_AUTH',
    'DB_PW',
    'SECRET2',
    'githubtoken',
    'X_PAT_1',
    'passwd',
    'apiKey',
    'MY_PASS',
    'PGPWD',
  ])('%s is a secret', (name) => {
    expect(source(`k: "\${${name}}"`, [], { [name]: 'x' }).problems).toHaveLength(1)
  })
  test.each(['PATH', 'AUTHOR', 'KEYBOARD', 'COMPASSION', 'MONKEY_SEE', 'TOKENIZER'])('%s is none', (name) => {
    expect(source(`k: "\${${name}}"`, [], { [name]: 'x' }).problems).toEqual([])
  })
})

describe('the catalog', () => {
  test('has a section for each kind, and each key of `prepare` but the embedders', async () => {
    await loadParts()
    const titles = (topic: Parameters<typeof catalog>[0]) => catalog(topic).map(({ title }) => title)
    expect([
      titles('strategies'),
      titles('transforms'),
      titles('answers'),
      titles('models'),
      titles('formats'),
    ]).toEqual([
      ['strategies', 'engines'],
      ['query transforms (before)', 'ranking transforms (after)'],
      ['answerers', 'measures of answers', 'judges of answers'],
      ['embedders', 'rerankers', 'language models'],
      ['dataset formats'],
    ])
    expect(titles('preparation')).toContain('prepare.chunk')
    for (const key of ['embedder', 'graphEmbedder'])
      expect(titles('preparation')).not.toContain(`prepare.${key}`)
  })
})
