import fs, { appendFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lock } from '../../src/experiment/lock.ts'
import { processes } from '../../src/library/machine.ts'
import { openConfig } from '../../src/library/open-config.ts'
import { sha256 } from '../../src/store/hash.ts'
import { startView } from '../../src/view/server.tsx'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'

const HOSTILE = '<img src=x onerror=alert(1)> The harbour silts up every spring.'
const QUESTIONS =
  '{"_id":"q1","text":"Who dredges?","metadata":{"of":"b.md"},"gold":[{"file":"b.md","quote":"Barges dredge it."}]}\n'
const CONFIG = `dataset: {folder: {path: docs, questions: questions.jsonl}}
trials: [bm25, {name: titled, bm25: {fields: {title: 2, text: 1}}}, {name: local, bm25: {}, filter: {where: {path: {query: of}}}}]
`

async function serve(
  config = CONFIG,
  more: Readonly<Record<string, string>> = {},
  progress?: (line: string) => void,
) {
  const folder = temporaryFolder({
    'a.yaml': config,
    'docs/a.md': `# Tides\n\n${HOSTILE}\n`,
    'docs/b.md': '# Dredging\n\nBarges dredge it. The harbour master pays.\n',
    'questions.jsonl': QUESTIONS,
    'experiments/.keep': '',
    ...more,
  })
  const open = await openConfig({ folder, env: {} }, 'a.yaml', { set: [] })
  const server = await startView({
    folder: join(folder, 'experiments'),
    shown: 'experiments',
    port: 0,
    processes,
    playground: { open, folder, progress },
    failed: (error) => {
      throw error
    },
  })
  onTestFinished(server.close)
  const origin = `http://127.0.0.1:${server.port}`
  const cookie = `touchstone-${server.port}=${new URL(server.link).searchParams.get('token')}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const post = async (path: string, body: object, other: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...headers, ...other }, body: JSON.stringify(body) }
    const response = await fetch(`${origin}${path}`, init)
    return { status: response.status, text: await response.text() }
  }
  const get = async (path: string) => (await fetch(`${origin}${path}`, { headers: { cookie } })).text()
  return { folder, post, get }
}

const ask = { question: 'Why does the harbour silt up?', trials: ['bm25', 'titled'], depth: 5 }
const gold = [{ document: 'a.md', quote: 'The harbour silts up every spring.' }]

test('trials are asked with ranks, changes and words; one that fails says why next to the others', async () => {
  const { post, get } = await serve()
  const page = await get('/ask')
  expect(page).toContain('<option selected>titled</option>')
  expect(page).toContain('data-files="questions.jsonl"')
  const { status, text } = await post('/ask/trials', { ...ask, trials: ['bm25', 'titled', 'local'] })
  expect(status).toBe(200)
  const { id, passages, trials } = JSON.parse(text)
  expect(id).toBeNull()
  expect(passages[0]).toMatchObject({ document: 'a.md', title: 'Tides', words: ['harbour'] })
  expect(passages[0].text).toContain(HOSTILE)
  expect(trials[0].hits[0]).toMatchObject({ passage: 0, ranked: [{ step: 'bm25', rank: 1 }] })
  expect(trials[1].hits[0]).toMatchObject({ passage: 0, first: 1 })
  expect(trials[2].failed).toContain('the filter of local reads `of`')
  expect(JSON.parse((await post('/ask/trials', { ...ask, question: 'Who dredges?' })).text).id).toBe('q1')
})

test.each<[string, object, number, string]>([
  ['of 100 kB', { ...ask, question: 'x'.repeat(100_000) }, 422, 'the question has 100000 characters'],
  ['of 1 MB', { ...ask, question: 'x'.repeat(1_000_000) }, 413, 'larger than 256 kB'],
  ['without words', { ...ask, question: ' ' }, 422, 'the question is empty'],
  ['for one trial twice', { ...ask, trials: ['bm25', 'bm25'] }, 422, 'name 2 to 3 different trials'],
  ['for an unknown trial', { ...ask, trials: ['bm25', 'bm26'] }, 422, 'there is no trial'],
  ['of another form', { ...ask, depth: 'all' }, 422, 'the request cannot be read'],
])('a question %s is refused', async (_, body, status, message) => {
  const { post } = await serve()
  const refused = await post('/ask/trials', body)
  expect(refused.status).toBe(status)
  expect(refused.text).toContain(message)
})

test('a trial is prepared once, and again after a failure', async () => {
  let isDown = true
  const { baseUrl, asked } = await fakeServer((_, { body }) =>
    isDown
      ? { status: 401, json: { error: 'no key' } }
      : { json: { data: [body.input].flat().map((text: string) => ({ embedding: [text.length, 1] })) } },
  )
  const embedder = `{openai-compatible: {baseUrl: "${baseUrl}", model: m}}`
  const config = CONFIG.replace('trials: [', `prepare: {embedder: ${embedder}}\ntrials: [naive, `)
  const lines: string[] = []
  const { post } = await serve(config, {}, (line) => lines.push(line))
  const naive = async () =>
    JSON.parse((await post('/ask/trials', { ...ask, trials: ['bm25', 'naive'] })).text).trials[1]
  expect((await naive()).failed).toContain('401')
  isDown = false
  expect(await naive()).toMatchObject({ failed: null, hits: [{}, {}] })
  const [prepared, calls] = [lines.length, asked.length]
  expect(prepared).toBeGreaterThan(0)
  await naive()
  expect([lines.length, asked.length - calls]).toEqual([prepared, 0])
})

test('requests of other pages, without the token or as a form neither ask nor write', async () => {
  const { folder, post } = await serve()
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { cookie: '' },
    { 'content-type': 'text/plain' },
  ]
  for (const headers of foreign)
    for (const path of ['/ask/trials', '/ask/question'])
      expect((await post(path, ask, headers)).status).toBe(403)
  expect(readFileSync(join(folder, 'questions.jsonl'), 'utf8')).toBe(QUESTIONS)
})

test('a question is added once with its gold, next to what others write, and the dataset reads it', async () => {
  const { folder, post } = await serve()
  const file = join(folder, 'questions.jsonl')
  appendFileSync(file, '{"_id":"q2","text":"Who pays?","gold":[{"file":"b.md"}]}')
  const add = (text: string, passages: object[] = gold) => post('/ask/question', { text, gold: passages })
  const { id, files } = JSON.parse((await add(ask.question)).text)
  expect(files).toEqual(['questions.jsonl'])
  const again = await add(ask.question)
  expect(again.text).toContain('questions.jsonl:3')
  expect(again.text).toContain(`has this question already (${id})`)
  expect((await add('Who pays?')).text).toContain('already (q2)')
  expect((await add('Why?', [])).text).toContain('mark at least one passage')
  expect((await add('Why?', [{ document: 'a.md', quote: 'No tides.' }])).text).toContain('does not hold')
  const { dataset } = await openConfig({ folder, env: {} }, 'a.yaml', { set: [] })
  expect(dataset.queries.map((query) => query.id)).toEqual([id, 'q1', 'q2'])
  expect(dataset.spans.get(id)).toHaveLength(1)
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"_id": "q3", "te`)
  expect((await add('Why now?')).text).toContain('questions.jsonl:4')
})

test('of two processes that add one question to a file at the same moment, the second is refused', async () => {
  const { folder, post } = await serve()
  const file = join(folder, 'questions.jsonl')
  const release = lock(folder, processes)
  const adding = post('/ask/question', { text: ask.question, gold })
  await new Promise((resolve) => setTimeout(resolve, 300))
  appendFileSync(file, `{"_id":"q2","text":"${ask.question}","gold":[{"file":"a.md"}]}\n`)
  release()
  expect((await adding).text).toContain('has this question already (q2)')
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
})

test('a question is not added to a file with one piece of gold per line', async () => {
  const table = '{"question":"Who dredges?","file":"b.md","quote":"Barges dredge it."}\n'
  const config = CONFIG.replace(/, \{name: local.*\}/, '')
  const { folder, post, get } = await serve(config, { 'questions.jsonl': table })
  expect(await get('/ask')).toContain('and questions.jsonl has one piece of gold per line')
  const { status, text } = await post('/ask/question', { text: ask.question, gold })
  expect([status, text]).toEqual([422, expect.stringContaining('has one piece of gold per line')])
  expect(readFileSync(join(folder, 'questions.jsonl'), 'utf8')).toBe(table)
})

test('a question is added to the file that a link leads to', async () => {
  const { folder, post } = await serve()
  renameSync(join(folder, 'questions.jsonl'), join(folder, 'shared.jsonl'))
  symlinkSync('shared.jsonl', join(folder, 'questions.jsonl'))
  expect((await post('/ask/question', { text: ask.question, gold })).status).toBe(200)
  expect(readFileSync(join(folder, 'shared.jsonl'), 'utf8')).toContain(ask.question)
})

const LABELLED = CONFIG.replace('questions: questions.jsonl', 'questions: questions.jsonl, labels: l.jsonl')
const LABELS = [
  {
    touchstone: 'labels',
    format: 1,
    experiment: 'e',
    result: 'r',
    k: 5,
    trials: ['bm25'],
    relevant: 1,
    labellers: [],
    kappa: null,
    conflicts: 0,
    pooled: 1,
  },
  {
    query: 'q1',
    question: 'Who dredges?',
    document: 'b.md',
    chunk: '',
    start: 0,
    end: 3,
    text: sha256('# D'),
    grade: 1,
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

test('a dataset with frozen labels gets the question and a label for each place of its quotes', async () => {
  const { folder, post } = await serve(LABELLED, {
    'l.jsonl': LABELS,
    'docs/c.md': 'Barges come. It rains. Barges come.\n',
  })
  const twice = { document: 'c.md', quote: 'Barges come.' }
  const marked = [...gold, twice, { document: 'c.md', quote: 'Barges  come.' }]
  const { id, files } = JSON.parse((await post('/ask/question', { text: ask.question, gold: marked })).text)
  expect(files).toEqual(['questions.jsonl', 'l.jsonl'])
  const { dataset } = await openConfig({ folder, env: {} }, 'a.yaml', { set: [] })
  expect(dataset.spans.get(id)).toEqual([
    { documentId: 'a.md', start: 38, end: 72, grade: 3 },
    { documentId: 'c.md', start: 0, end: 12, grade: 3 },
    { documentId: 'c.md', start: 23, end: 35, grade: 3 },
  ])
})

test('a full disk leaves both files as they were, and the question can be added later', async () => {
  const { folder, post } = await serve(LABELLED, { 'l.jsonl': LABELS })
  const add = () => post('/ask/question', { text: ask.question, gold })
  const { writeFileSync: write } = fs
  const replace = (by: typeof write) => {
    fs.writeFileSync = by
    syncBuiltinESMExports()
  }
  onTestFinished(() => replace(write))
  replace((file, data) => {
    if (!String(data).includes('"grade"')) return write(file, data)
    write(file, String(data).slice(0, 20))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
  const full = await add()
  replace(write)
  expect([full.status, full.text]).toEqual([422, expect.stringContaining('the disk is full')])
  expect(readFileSync(join(folder, 'questions.jsonl'), 'utf8')).toBe(QUESTIONS)
  expect(readFileSync(join(folder, 'l.jsonl'), 'utf8')).toBe(LABELS)
  expect((await add()).status).toBe(200)
})

test('a dataset without a file of questions says so', async () => {
  const { post, get } = await serve(CONFIG.replace(', questions: questions.jsonl', ''), {
    'questions.jsonl': '',
  })
  expect(await get('/ask')).toContain('has no file of questions; name one by `questions`')
  expect((await post('/ask/question', { text: 'Why?', gold })).text).toContain('has no file of questions')
})
