import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalog, catalogParams } from '../../src/config/catalog.ts'
import { filesIn, isFile } from '../../src/config/custom-files.ts'
import {
  choiceLabel,
  choicesLabel,
  matchTrials,
  namesOf,
  nameTrials,
  trialName,
  type UnnamedTrial,
} from '../../src/config/names.ts'
import { loadParts } from '../../src/config/parts.ts'
import type { Problem } from '../../src/config/reading.ts'
import { readSource } from '../../src/config/source.ts'
import { readRuns, strategyNames } from '../../src/config/trials.ts'
import { temporaryFolder } from '../temporary.ts'

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
      nameTrials(drafts, problems).map(({ name }) => name),
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

  test('of equal trials are one, and a name belongs to one entry', () => {
    expect(named(draft('1'), draft('1'), draft('1', { given: 'mine' }))).toEqual([
      ['bm25'],
      [['trials.1', 'is the same trial as `bm25`']],
    ])
    expect(named(draft('1', { given: 'a' }), draft('1', { given: 'a' }))).toEqual([['a'], []])
    expect(
      named(
        draft('1', { given: 'a' }, { k: 1 }),
        draft('2', { given: 'a', path: ['trials', '1'] }, { k: 2 }),
      ),
    ).toEqual([['a k=1', 'a k=2'], []])
    expect(
      named(
        draft('1', { given: 'a' }),
        draft('2', { given: 'a' }, { k: 2 }),
        draft('3', { given: 'a' }, { k: 3 }),
      ),
    ).toEqual([
      ['a', 'a k=2', 'a k=3'],
      [
        ['trials.2.name', 'another trial has the name `a`'],
        ['trials.3.name', 'another trial has the name `a`'],
      ],
    ])
  })

  test('of trials that differ only in seeds are one, without what differs', () => {
    const seed = (id: string, row: string, seed: number) => draft(id, { row }, { k: row, seed })
    const trials = nameTrials([seed('1', 'a', 1), seed('2', 'a', 2), seed('3', 'b', 2)], [])
    expect(trials.map(({ id, name, seeds }) => [id, name, seeds?.map((one) => [one.id, one.name])])).toEqual([
      ['1', 'bm25 k=a', [['2', 'bm25 k=a']]],
      ['3', 'bm25 k=b seed=2', undefined],
    ])
  })

  test('show a value without spaces, a file by its last part, a long one cut', () => {
    expect(
      trialName('a', {
        n: 0.5,
        t: 'b c',
        f: '/x/y.md',
        w: 'C:\\z',
        list: ['a', 'b'],
        odd: ['a+b'],
        none: [],
        o: { x: 1 },
      }),
    ).toBe('a n=0.5 t=b_c f=y.md w=C:\\z list=a+b odd=["a+b"] none=[] o={"x":1}')
    const label = (length: number) => trialName('a', { t: 'x'.repeat(length) })
    expect(label(100)).toBe(`a t=${'x'.repeat(100)}`)
    expect(label(101)).toMatch(/^a t=x{100}~[0-9a-f]{8}$/)
    const choice = { name: 'lsa', params: { dims: 5, sha256: 'x', seed: 0 } }
    expect([choiceLabel(choice), choiceLabel(choice, ['seed', 'gone']), choiceLabel(choice, [])]).toEqual([
      'lsa(dims=5,seed=0)',
      'lsa(seed=0)',
      'lsa',
    ])
    expect([choicesLabel([]), choicesLabel([choice, { name: 'b', params: {} }])]).toEqual([
      'none',
      'lsa(dims=5)+b',
    ])
    const list = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `t${i}` }))
    expect([namesOf(list(2)), namesOf(list(5)), namesOf(list(6))]).toEqual([
      '`t0`, `t1`',
      '`t0`, `t1`, `t2`, `t3`, `t4`',
      '`t0`, `t1`, `t2`, `t3`, `t4`, ... (6 in all)',
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
    const match = (name: string) => matchTrials(name, trials).map((one) => one.name)
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
    expect(matchTrials('bm25', without).map((one) => one.name)).toEqual(['bm25 k=1'])
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
    const found = source(text, set)
    expect([found.value, found.diagnostics, found.problems]).toEqual([value, [], []])
  })

  test('knows where each value was given, and where its paths begin', () => {
    const found = source('a:\n  b: 1\nc: 2\n', ['a.b=5', 'a=6'])
    expect(found.locate({ path: ['c'], message: 'm' })).toEqual({
      file: 'dir/c.yaml',
      line: 3,
      column: 4,
      message: 'm',
    })
    expect(found.locate({ path: ['c'], on: 'key', message: 'm' })).toMatchObject({ line: 3, column: 1 })
    expect(found.locate({ path: ['a', 'b'], message: 'm' })).toEqual({ file: '--set a', message: 'm' })
    expect([found.folderOf(['a']), found.folderOf(['c'])]).toEqual(['/w', '/w/dir'])
    const list = source('a: [x]', ['a.0=y'])
    expect([list.folderOf(['a', 0]), list.folderOf(['a'])]).toEqual(['/w', '/w/dir'])
  })

  test.each<[string, string, string?]>([
    ['${DIR}/x', '/d/x'],
    ['a${N}b${N}', 'a5b5'],
    ['${GONE}', '${GONE}', 'the environment variable `GONE` is not set'],
    ['${EMPTY}x', 'x'],
    [
      '${API_KEY}',
      '${API_KEY}',
      '`API_KEY` looks like a secret, and values of a config are written into results; programs and embedders read it themselves (`apiKeyEnv: API_KEY`)',
    ],
    ['https://h.example/v1?a=1', 'https://h.example/v1?a=1'],
    [
      'https://u:p@h.example/v1',
      'https://...',
      'the address holds a user, password or key, and values of a config are written into results; leave it out',
    ],
    [
      'https://h.example/?api_key=1',
      'https://...',
      'the address holds a user, password or key, and values of a config are written into results; leave it out',
    ],
    ['mail a@b.example', 'mail a@b.example'],
  ])('%j becomes %j', (text, value, message) => {
    const env = { DIR: '/d', N: '5', EMPTY: '', API_KEY: 'k' }
    const found = source(`k: {list: [${JSON.stringify(text)}]}`, [], env)
    expect([found.value, found.problems]).toEqual([
      { k: { list: [value] } },
      message === undefined ? [] : [{ path: ['k', 'list', 0], message }],
    ])
  })

  test.each(['HF_TOKEN', 'MY_AUTH', 'DB_PW', 'SECRET2', 'githubtoken', 'X_PAT_1', 'passwd'])(
    '%s is a secret',
    (name) => {
      expect(source(`k: "\${${name}}"`, [], { [name]: 'x' }).problems).toHaveLength(1)
    },
  )
  test.each(['PATH', 'AUTHOR', 'KEYBOARD', 'COMPASSION', 'MONKEY_SEE'])('%s is none', (name) => {
    expect(source(`k: "\${${name}}"`, [], { [name]: 'x' }).problems).toEqual([])
  })
})

describe('entries of trials', () => {
  test('name strategies, beside their options', () => {
    const names = (raw: unknown) => strategyNames({ raw, path: ['trials', 0] })
    expect([
      names('bm25'),
      names({ name: 'a', filter: {}, before: [], after: [], bm25: {} }),
      names(5),
    ]).toEqual([[{ name: 'bm25', path: ['trials', 0] }], [{ name: 'bm25', path: ['trials', 0, 'bm25'] }], []])
  })

  test('of runs are files, each named after itself', () => {
    const folder = temporaryFolder({ 'a b.trec.gz': '', 'c.run': '', '.gz': '' })
    const problems: Problem[] = []
    const rewrites: unknown[] = []
    const read = (...runs: unknown[]) =>
      readRuns(runs, { problems, rewrites, folderOf: () => folder } as never)
    expect(read('c.run', { path: join(folder, '?.run'), name: 'mine' }, { name: 'x' })).toEqual([
      { path: ['runs', 0], raw: { name: 'c', run: { path: join(folder, 'c.run') } } },
      { path: ['runs', 1], raw: { name: 'mine', run: { path: join(folder, 'c.run') } } },
      { path: ['runs', 2], raw: { name: 'x', run: {} } },
    ])
    expect(rewrites).toEqual([{ path: ['runs', 0], on: 'value', value: join(folder, 'c.run') }])
    expect(read('a b.trec.gz', '.gz').map(({ raw }) => (raw as { name: string }).name)).toEqual([
      'a-b',
      'run',
    ])
    expect(problems).toEqual([])
    expect(read(5, '', '*.none')).toEqual([])
    expect(problems).toEqual([
      { path: ['runs', 0], message: 'a run is a file or a map of path and name, not 5' },
      expect.objectContaining({
        path: ['runs', 1],
        message: expect.stringMatching(/^a run is a file or a map/),
      }),
      { path: ['runs', 2], message: `nothing matches \`${join(folder, '*.none')}\`` },
    ])
  })

  test('name files of code by their path', () => {
    expect(
      ['./a', '../a', '/a', 'a.mjs', 'a.ts', 'a.js', 'a.mts', 'bm25', 'a.json', 'a/b'].map(isFile),
    ).toEqual([true, true, true, true, true, true, true, false, false, false])
    const names = (raw: unknown) =>
      filesIn(raw, ['p']).map(({ name, path, on }) => [name, path.join('.'), on])
    expect(names(['./a', 'bm25', { './b': {}, dense: {} }])).toEqual([
      ['./a', 'p.0', 'value'],
      ['./b', 'p.2../b', 'key'],
    ])
    expect(names({ grid: ['./a', { './b': {} }] })).toEqual([
      ['./a', 'p.grid.0', 'value'],
      ['./b', 'p.grid.1../b', 'key'],
    ])
    expect(names({ grid: { x: './a', y: 'none' } })).toEqual([['./a', 'p.grid.x', 'value']])
    expect(names(5)).toEqual([])
  })
})

describe('the catalog', () => {
  test.each<[object, string]>([
    [{ slot: 'trial' }, 'trial'],
    [{ slot: 'embedder' }, 'choice'],
    [{ enum: ['a', 1] }, 'one of a, 1'],
    [{ const: false }, 'false'],
    [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'text, or true or false'],
    [{ oneOf: [{ type: 'object' }, {}] }, 'map, or anything'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'whole number, 1 to 9'],
    [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'whole number, 0 or more'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'number, above 0, below 1'],
    [{ type: 'number', maximum: 1 }, 'number, 1 or less'],
    [{ type: 'number' }, 'number'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ type: 'array', items: { slot: 'trial' } }, 'list of trials'],
    [{ type: 'array' }, 'list of anything'],
  ])('%j is a %s', (schema, type) => {
    expect(catalogParams({ properties: { a: schema as never } })).toEqual([
      { name: 'a', type, required: false, summary: '' },
    ])
  })

  test('names measures with their cutoff', () => {
    const [{ title, entries }] = catalog('measures')
    const entry = (name: string) => entries.find((one) => one.name.split(/[@[]/)[0] === name)
    expect([title, entry('ndcg')?.name, entry('recall')?.name]).toEqual(['measures', 'ndcg[@k]', 'recall@k'])
    expect(entry('recall')?.summary).toMatch(/; @k in [a-z ]+(?:;|$)/)
    expect(entry('ndcg')?.summary).toMatch(/; @k optional, in [a-z ]+/)
    const paramTypes = (name: string) =>
      Object.fromEntries(entry(name)?.params.map(({ name, type }) => [name, type]) ?? [])
    expect(paramTypes('contamination')).toEqual({ field: 'text' })
    expect(paramTypes('recall')).toMatchObject({ rel: 'whole number, 0 to 1000' })
  })

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
