import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { readSummary } from '../../src/results/read.ts'
import { type Behaviour, fakeServer } from '../models/fake-server.ts'
import { setUp } from './set-up.ts'

const DOCS = {
  'docs/harbour.md': `# Lomm Harbour

The harbour of Lomm silts up every year and is dredged by two barges in spring.

## Mooring Rules

Ships moor at the northern quay only after the harbour master has given them a number.

**Tide bell.** The bell that rings when the water is high enough for ships of nine feet.

| Berth | Depth | Fee |
|---|---|---|
| North quay | 9 feet | two silver pieces |
| South quay | 6 feet | one silver piece |

> Q: Who rings the tide bell?

> The tide bell is rung by the clerk whom the harbour master names in spring.

## May a ship leave at night?

A ship may leave at night if a pilot is on board and the tide bell has rung twice.
`,
  'docs/tools.md': `# Tools of the office

A tide table is a list of the hours at which the water at the mole is highest.

The fees are set down in Mooring Rules, and a clerk collects them every morning at the quay.

### countShips(from, until)

Counts the ships that passed the mole between two days, both of them included in the count.

\`\`\`js
function weighCargo(ship, scale) {
  return scale.weigh(ship)
}
\`\`\`
`,
}
const jsonl = (folder: string, file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('rules draft every kind of question, with gold that stands in the corpus once', async () => {
  const { folder, call } = setUp('name: a\n', DOCS)
  const { code, out } = await call('questions', 'draft', 'docs', '--no-arms', '-o', 'q.jsonl')
  expect(code).toBe(0)
  const rows = jsonl(folder, 'q.jsonl')
  const textsOf = (kind: string) =>
    rows.filter(({ metadata }) => metadata.category === kind).map(({ text }) => text)
  expect(textsOf('heading')).toContain('What does Lomm Harbour say about Mooring Rules?')
  expect(textsOf('definition').sort()).toEqual(['What is Tide bell?', 'What is tide table?'])
  expect(textsOf('table').sort()).toEqual([
    'What is the Depth of North quay (Mooring Rules)?',
    'What is the Fee of South quay (Mooring Rules)?',
  ])
  expect(textsOf('faq').sort()).toEqual(['May a ship leave at night?', 'Who rings the tide bell?'])
  expect(textsOf('signature').sort()).toEqual([
    'What does countShips do, given from, until?',
    'What does weighCargo do, given ship, scale?',
  ])
  // Two hops: the sentence that mentions a section, and the section.
  const [reference] = rows.filter(({ metadata }) => metadata.category === 'reference')
  expect(reference.text).toContain('set down in ___, and a clerk')
  expect(reference.gold.map(({ file }: { file: string }) => file)).toEqual(['tools.md', 'harbour.md'])
  expect(rows.every(({ metadata }) => metadata.synthetic.startsWith('touchstone questions draft'))).toBe(true)
  expect(out).toContain('Documents asked about: 2 of 2.')
  expect(out).toContain('Write a config next to them: dataset: {folder: docs, questions: q.jsonl}')
  // Trivial questions are dropped, so nothing counts them.
  expect(out).toContain('| kind | questions | words in the gold |\n')

  // It is a dataset, and everything says what it is.
  const params = { path: join(folder, 'docs'), questions: join(folder, 'q.jsonl') }
  const dataset = await loadDataset({ name: 'folder', params }, folder)
  const said = `${rows.length} of ${rows.length} questions are synthetic`
  expect(dataset.notices.join()).toContain(said)
  const run = [
    'run',
    'a.yaml',
    '--workers',
    '1',
    '--set',
    'trials=[bm25, random]',
    '--set',
    'measures=[recall@5]',
  ]
  const ran = await call(...run, '--set', 'dataset={folder: docs, questions: q.jsonl}')
  expect(ran.code).toBe(0)
  expect(ran.out.replace(/\s+/g, ' ')).toContain(
    'queries are synthetic: drafted from the corpus, asked by nobody',
  )
  expect(readSummary(join(folder, 'experiments/a')).dataset.synthetic).toBe(rows.length)
  expect(readFileSync(join(folder, 'reports/a.html'), 'utf8')).toContain('Synthetic questions.</b>')
})

test('a clause, a badge and a sentence that introduces a list are neither term nor gold', async () => {
  const { folder, call } = setUp('', {
    'docs/a.md': `# Salt

![build](b.svg) ![size](s.svg)

## Raking

The work in a salt garden has these four steps:

1. flood

Note that there is a rake of ash for every pan, and two for the great one in summer.

A rake is a long pole of ash with a flat board at its end, and it weighs nine pounds.

Below is a drawing of the pans as the old master left them to his two daughters.
`,
  })
  await call('questions', 'draft', 'docs', '--no-arms', '-o', 'q.jsonl')
  const rows = jsonl(folder, 'q.jsonl')
  expect(rows.map(({ text }) => text).sort()).toEqual(['What does Salt say about Raking?', 'What is rake?'])
  expect(rows.map(({ gold }) => gold[0].quote.slice(0, 9)).sort()).toEqual(['A rake is', 'Note that'])
})

test('the same seed draws the same questions; kinds, count and overlap are taken', async () => {
  const { folder, call } = setUp('name: a\n', DOCS)
  const draft = async (out: string, ...more: string[]) => {
    expect(await call('questions', 'draft', 'docs', '--no-arms', '-o', out, ...more)).toMatchObject({
      code: 0,
    })
    return jsonl(folder, out)
  }
  expect(await draft('a', '-n', '4', '--seed', '3')).toEqual(await draft('b', '-n', '4', '--seed', '3'))
  const few = await draft('c', '--kinds', 'table,faq', '-n', '2')
  expect(few.map(({ metadata }) => metadata.category).sort()).toEqual(['faq', 'table'])
  const low = await draft('d', '--max-overlap', '0.5')
  expect(low.length).toBeGreaterThan(0)
  expect(jsonl(folder, 'd.dropped.jsonl').map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^\d+ % of its words are in its gold$/),
  )
  const words = await draft('e', '--reword', 'removed', '--kinds', 'table')
  expect(words.map(({ text }) => text)).not.toContain('What is the Depth of North quay (Mooring Rules)?')
})

test('questions that every arm answers first are dropped, or kept and marked', async () => {
  const config =
    'dataset: {folder: docs}\nprepare: {chunk: {headings: {levels: 3}}}\nmeasures: [recall@5]\ntrials: [bm25, random]\n'
  const { folder, call } = setUp(config.replace('random', 'rm3'), DOCS)
  const first = await call('questions', 'draft', 'a.yaml', '-o', 'q')
  const dropped = jsonl(folder, 'q.dropped.jsonl').filter(({ reason }) => reason.startsWith('is trivial'))
  expect(dropped.length).toBeGreaterThan(0)
  expect(first.out + first.err).toMatch(/is trivial: every arm finds its gold first|no question is left/)
  // The config may name the questions that are drafted now.
  const named = config.replace('{folder: docs}', '{folder: docs, questions: k}').replace('random', 'rm3')
  writeFileSync(join(folder, 'a.yaml'), named)
  expect(await call('questions', 'draft', 'a.yaml', '-o', 'k', '--keep-trivial')).toMatchObject({ code: 0 })
  const marked = jsonl(folder, 'k').filter(({ metadata }) => metadata.trivial)
  expect(marked.map(({ text }) => text)).toEqual(expect.arrayContaining(dropped.map(({ text }) => text)))
  const sheet = readFileSync(join(folder, 'k.quality.md'), 'utf8')
  expect(sheet).toMatch(/10 points: \d+/)
  expect(sheet).toContain('| words in the gold | trivial |')
  // Without a config the arms are lexical and dense search.
  expect(await call('questions', 'draft', 'docs', '-o', 'd', '--keep-trivial')).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'd.quality.md'), 'utf8')).toMatch(/10 points: \d+/)
})

test('a corpus of another format gets a BEIR folder, with whole documents as gold', async () => {
  const { folder, call } = setUp('')
  const towns = await call('questions', 'draft', 'towns', '--no-arms', '-o', 'beir')
  expect(towns).toMatchObject({
    code: 2,
    err: expect.stringContaining('can be drafted from its 12 documents'),
  })
  const corpus = ['tide', 'mole'].map((name) => ({
    _id: name,
    title: name,
    text: `The ${name} of Lomm is the one thing that every sailor learns to read first of all.`,
  }))
  rmSync(join(folder, 'towns/qrels'), { recursive: true })
  rmSync(join(folder, 'towns/queries.jsonl'))
  writeFileSync(join(folder, 'towns/corpus.jsonl'), corpus.map((one) => `${JSON.stringify(one)}\n`).join(''))
  expect(await call('questions', 'draft', 'towns', '--no-arms', '-o', 'beir')).toMatchObject({ code: 0 })
  const { queries, qrels } = await loadDataset({ name: 'beir', params: { path: join(folder, 'beir') } }, '/')
  expect(queries.map(({ text }) => text).sort()).toEqual(['What is mole of Lomm?', 'What is tide of Lomm?'])
  expect([...qrels.values()].flatMap((own) => [...own.keys()]).sort()).toEqual(['mole', 'tide'])
})

test('bad input is named, and what was dropped is kept', async () => {
  const SAME = '# Fees\n\nThe fee of each berth is set by the harbour master in spring and in autumn.\n'
  const { folder, call } = setUp('', {
    'empty/none.txt': '',
    'one/only.md': DOCS['docs/harbour.md'],
    'same/a.md': `# Alpha quay\n\n## Dues\n\n${SAME.slice(8)}`,
    'same/b.md': `# Beta quay\n\n## Tolls\n\n${SAME.slice(8)}`,
  })
  const draft = (source: string, ...more: string[]) =>
    call('questions', 'draft', source, '--no-arms', '-o', `${source}.jsonl`, ...more)
  expect(await draft('empty')).toMatchObject({ code: 2, err: expect.stringContaining('holds no document') })
  const one = await draft('one')
  expect(one).toMatchObject({ code: 0, err: expect.stringContaining('the corpus is one document') })
  const same = await draft('same')
  expect(same).toMatchObject({ code: 2 })
  expect(same.err).toMatch(
    /no question is left of 2 candidates from its 2 documents: its gold occurs in 2 documents/,
  )
  expect(jsonl(folder, 'same.jsonl.dropped.jsonl')).toHaveLength(2)
  expect(existsSync(join(folder, 'same.jsonl'))).toBe(false)
  const wrong = await draft('one', '--kinds', 'headings,fact')
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining('no kind `headings` (did you mean "heading"?)'),
  })
  expect((await draft('one', '--kinds', 'fact')).err).toContain('fact need --model')
  const modelled = await call('questions', 'draft', 'one', '--no-arms', '-o', 'y', '--model', 'x')
  expect(modelled.err).toContain('name the config in place of the dataset')
})

const completion = (text: string): Behaviour => ({
  json: {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'tiny',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  },
})

const LONG = (town: string) =>
  `# The town of ${town}\n\nThe people of ${town} weave linen sails for ships of the western coast, dry herring on long wooden racks beside the river, and hold a market on the first Tuesday after every full moon in autumn.\n`

async function withModel(behave: (prompt: string) => string) {
  const server = await fakeServer((_, { body }) => completion(behave(body.messages[0].content)))
  const files = Object.fromEntries(
    ['Alden', 'Merrow', 'Tarn', 'Osk'].map((town) => [`docs/${town}.md`, LONG(town)]),
  )
  const config = `dataset: {folder: docs}
models:
  tiny: {openai-compatible: {baseUrl: "${server.baseUrl}", model: tiny, maxTokens: 60}}
trials: [bm25, naive]
`
  return { ...server, ...setUp(config, files) }
}

test('a model drafts, a second call that sees the passages alone checks, and completions are stored', async () => {
  const { folder, call, asked } = await withModel((prompt) => {
    const [, town] = /The people of (\w+)/.exec(prompt) ?? []
    if (prompt.startsWith('Say whether')) {
      // The check sees question and passages, not what the first call answered.
      expect(prompt).not.toContain('linen sails, says')
      return JSON.stringify({
        answerable: !/king/.test(prompt) && !/fishes of Osk/.test(prompt),
        answer: 'x',
      })
    }
    const what = prompt.includes('does not answer')
      ? `Who was the first king of ${town}?`
      : `Which cloth do the fishes of ${town} carry away?`
    return JSON.stringify({
      question: what,
      ...(prompt.includes('does not answer') ? {} : { answer: 'linen sails, says' }),
    })
  })
  const draft = (out: string) =>
    call(
      'questions',
      'draft',
      'a.yaml',
      '--no-arms',
      '--model',
      'tiny',
      '--persona',
      'a sailor',
      '-o',
      out,
      '-n',
      '8',
    )
  const first = await draft('q')
  expect(first.code).toBe(0)
  const rows = jsonl(folder, 'q')
  const unanswerable = rows.filter(({ metadata }) => metadata.answerable === false)
  expect(unanswerable.length).toBeGreaterThan(0)
  expect(unanswerable.every(({ gold }) => gold.length === 0)).toBe(true)
  const facts = rows.filter(({ metadata }) => metadata.category === 'fact')
  expect(
    facts.every(({ metadata, gold }) => metadata.answers[0] === 'linen sails, says' && gold.length === 1),
  ).toBe(true)
  for (const { reason } of jsonl(folder, 'q.dropped.jsonl'))
    expect(reason).toMatch(/do not answer it, says the second call|is nearly/)
  expect(
    asked.some(({ body }) => body.messages[0].content.includes('Ask as this person would: a sailor.')),
  ).toBe(true)
  const calls = asked.length
  await draft('again')
  expect(asked).toHaveLength(calls)
  expect(jsonl(folder, 'again')).toEqual(rows)
})

test('a model that drafts no question is told, with every failure', async () => {
  const { folder, call } = await withModel(() => 'I would rather not.')
  const { code, err } = await call(
    'questions',
    'draft',
    'a.yaml',
    '--no-arms',
    '--model',
    'tiny',
    '-o',
    'q',
    '-n',
    '2',
  )
  expect(code).toBe(2)
  expect(err).toMatch(/no question is left of \d+ candidates from its 4 documents: tiny drafted none: /)
  expect(
    jsonl(folder, 'q.dropped.jsonl').every(({ reason }) => reason.startsWith('tiny drafted none: ')),
  ).toBe(true)
})

test.each([
  ['questions', 'draft', 'nowhere'],
  ['import', 'nowhere', '-o', 'out'],
  ['check', 'nowhere'],
  ['labels', 'review', 'labels', 'nowhere'],
])('%s %s: a path that is not there is an error of the user', async (...words) => {
  const { code, err } = await setUp('dataset: towns\ntrials: [bm25]\n').call(...words)
  expect([code, err]).toEqual([2, 'nowhere: there is no such file or folder\n'])
})
