import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { REFUSAL } from '../../src/answer/citations.ts'
import { main } from '../../src/cli/main.ts'
import { weakMatch } from '../../src/experiment/ask.ts'
import { createRetriever } from '../../src/library/create-retriever.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { fakeServer, stream } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { callsIn } from './calls.ts'
import { standIn } from './stand-in.ts'

const event = (content: string, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})
const USAGE = {
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
}

/** An embedder of words and letters: texts without common ones are far apart. */
const CASED = 'configs/systems/cased.mjs'

/** A server that streams pieces of an answer; the first `cuts` streams break off after the first piece. */
async function setUp(pieces: readonly string[], cuts = 0, end = 'stop') {
  const server = await fakeServer((n, { body }) => {
    expect(body.stream).toBe(true)
    const events = pieces.map((piece, index) => event(piece, index === pieces.length - 1 ? end : null))
    return n <= cuts ? stream(events.slice(0, 1), true) : stream([...events, USAGE, '[DONE]'])
  })
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
models:
  tiny: {openai-compatible: {baseUrl: "${server.baseUrl}", model: tiny, price: {input: 1, output: 10}}}
trials: [bm25]
answer: [extractive, {llm: {model: tiny, grid: {top: [1, 2]}}}]
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  return { ...server, ...callsIn(folder, {}), folder }
}

const ASK = ['ask', 'a.yaml', 'Where is TownA0?', '--answer']

test('an answer is shown as it is written, with what it cites, once for its price', async () => {
  const { asked, call } = await setUp(['Salt', ' from\u001b[31m the', ' sea [1] [7].'])
  const first = await call(...ASK, 'llm(model=tiny) top=2')
  expect(first).toMatchObject({ code: 0 })
  expect(first.out).toContain('Salt from\\u001b[31m the sea [1] [7].\n\nllm(model=tiny) top=2\n  [1] ')
  expect(first.out).toContain('  [7] is no passage that was sent')
  expect(first.out).toMatch(
    /sent: 2 passages, \d+ tokens\n {2}tiny: 100 tokens read, 10 written; \d+ ms, \$0\.0002/,
  )
  const again = await call(...ASK, 'llm(model=tiny) top=2')
  expect(again.out).toContain('the sea [1] [7].')
  expect(again.out).toContain('stored completion, nothing was asked')
  expect(asked).toHaveLength(1)
  // A run finds it too: what was streamed is what was kept.
  const { answer } = JSON.parse((await call(...ASK, 'llm(model=tiny) top=2', '--json')).out)
  expect(answer).toMatchObject({
    text: 'Salt from\u001b[31m the sea [1] [7].',
    cited: [1],
    wrong: [7],
    refused: false,
    kept: true,
    models: ['tiny'],
    inputTokens: 100,
    outputTokens: 10,
    dollars: 0,
  })
  expect(answer.passages[0].chunks).toHaveLength(1)
  expect(answer.milliseconds).toBeGreaterThan(0)
})

test('a refusal is shown with the question that it suggests', async () => {
  const { call } = await setUp([REFUSAL, ' You might want to ask: "Where is TownB1?"'])
  const { code, out } = await call(...ASK, 'llm(model=tiny) top=2')
  expect(code).toBe(0)
  expect(out).toContain('\n\nllm(model=tiny) top=2: a refusal\n  suggested: Where is TownB1?\n')
  const json = JSON.parse((await call(...ASK, 'llm(model=tiny) top=2', '--json')).out)
  expect(json.answer).toMatchObject({ refused: true, suggestion: 'Where is TownB1?' })
})

test('a stream that breaks off begins anew, and says so', async () => {
  const { asked, folder } = await setUp(['Salt', ' and honey.'], 1)
  const heard: [string, string?][] = []
  const retriever = await createRetriever(join(folder, 'a.yaml'))
  const { text } = await retriever.answer('Where is TownA0?', {
    answerer: 'llm(model=tiny) top=1',
    onText: (grown, anew) => heard.push([grown, anew]),
  })
  await retriever.close()
  expect(text).toBe('Salt and honey.')
  expect(heard).toEqual([
    ['Salt', undefined],
    ['Salt', 'broken'],
    ['Salt and honey.', undefined],
  ])
  expect(asked).toHaveLength(2)
  const again = await setUp(['Salt', ' and honey.'], 1)
  const { out } = await again.call(...ASK, 'llm(model=tiny) top=1')
  expect(out).toContain('\n\nSalt\n(the stream broke off and begins anew)\nSalt and honey.\n\nllm(')
})

test('the time of a question and of each step is told, and logged in seconds', async () => {
  const { call, folder } = await setUp(['x'])
  const asked = ['ask', 'a.yaml', 'Where is TownA0?', '-t', 'bm25', '--log', 'logs']
  const told = JSON.parse((await call(...asked, '--json')).out)
  const [[step, time]] = told.steps.map((one: { step: string; milliseconds: number }) => Object.values(one))
  expect([told.steps.length, step]).toEqual([1, 'bm25'])
  expect(time).toBeGreaterThan(0)
  expect(told.milliseconds).toBeGreaterThanOrEqual(time)
  expect((await call(...asked)).out).toMatch(/^ {2}bm25 +\d+\.\d\d ms$/m)
  const lines = readFileSync(join(folder, 'logs', 'retrieval_metrics.jsonl'), 'utf8')
    .trim()
    .split('\n')
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0]).retrieval_time).toBeCloseTo(told.milliseconds / 1000, 6)
})

test('an extractive answer streams too, and no error is silent', async () => {
  const { call, asked } = await setUp(['x'])
  const { out } = await call(...ASK, 'extractive')
  expect(out).toMatch(/\n\nIts road .* \[2\]\n\nextractive\n {2}\[2\] TownH7\n {2}sent: \d passages/)
  expect((await call(...ASK, 'llm')).err).toContain(
    'name one answerer: llm(model=tiny) top=1, llm(model=tiny) top=2',
  )
  expect((await call(...ASK, 'extractiv')).err).toContain(
    'there is no answerer `extractiv` (did you mean "extractive"?); `answer` has extractive, llm(model=tiny) top=1',
  )
  const none = await call(...ASK, 'extractive', '--set', 'answer=[]')
  expect(none.code).toBe(2)
  expect(asked).toEqual([])
})

test('a refusal of the model is told, and nothing but its call was made', async () => {
  const { folder, asked } = await setUp(['I'], 0, 'content_filter')
  const terminal = standIn({ folder })
  expect(await main([...ASK, 'llm(model=tiny) top=1'], terminal)).toBe(2)
  expect(terminal.stderr()).toContain('llm(model=tiny) top=1: the model refused to answer')
  expect(asked).toHaveLength(1)
})

test('one source a document where that is asked for, and no question without end', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: notes\nprepare: {chunk: headings}\ntrials: [bm25]\n',
    'notes/a.md': '# Bees\n\nBees make honey.\n\n## Honey\n\nHoney is sweet.\n',
    'notes/b.md': '# Trade\n\nHoney is sold.\n',
  })
  const { call } = callsIn(folder, {})
  const sources = async (...more: string[]) => {
    const { out } = await call('ask', 'a.yaml', 'Honey?', '--json', ...more)
    return JSON.parse(out).sources.map(({ chunk }: { chunk: { documentId: string } }) => chunk.documentId)
  }
  const all = await sources()
  expect(all).toHaveLength(3)
  expect(await sources('--documents')).toEqual([...new Set(all)])
  expect(await sources('--documents', '--depth', '1')).toEqual([all[0]])
  expect(await sources('--depth', '2')).toEqual(all.slice(0, 2))
  const long = await call('ask', 'a.yaml', 'x'.repeat(10_001))
  expect(long).toMatchObject({
    code: 2,
    err: 'the question has 10001 characters; at most 10000 are allowed\n',
  })
  expect(await call('ask', 'a.yaml', ' ')).toMatchObject({ code: 2, err: 'the question is empty\n' })
})

/** A folder with an embedder that counts two letters, so that longer texts have longer vectors. */
function letters(trials: string, prepare = 'embedder: letters.mjs') {
  const document = (id: string, text: string) =>
    `${JSON.stringify({ _id: id, text, metadata: { length: text.length } })}\n`
  return temporaryFolder({
    'a.yaml': `dataset: set\nprepare: {${prepare}}\ntrials: [${trials}]\n`,
    'letters.mjs': `export default ({ z }) => ({
      name: 'letters', summary: 'how many of two letters', params: z.strictObject({}),
      embed: (texts) => texts.map((text) => ['a', 'b'].map((letter) => text.split(letter).length - 1)),
    })`,
    'set/corpus.jsonl':
      document('long', 'aaaaaaaabbbbbbbb') +
      document('near', 'aaab') +
      document('same', 'a') +
      document('far', 'b'),
    'set/queries.jsonl': '{"_id": "q", "text": "aa"}\n',
    'set/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\tsame\t1\n',
  })
}

test('naive ranks by the cosine, whatever the length of vectors, and gives text, score, source and metadata', async () => {
  const folder = letters('naive')
  const { call } = callsIn(folder, {})
  const { out, code } = await call('ask', 'a.yaml', 'aa?', '--json', '--depth', '3')
  expect(code).toBe(0)
  const expected = [
    ['same', 'a', 1],
    ['near', 'aaab', 3 / Math.hypot(3, 1)],
    ['long', 'aaaaaaaabbbbbbbb', 8 / Math.hypot(8, 8)],
  ] as const
  const closely = (score: number) => expect.closeTo(score, 6)
  expect(JSON.parse(out).sources).toMatchObject(
    expected.map(([documentId, text, score]) => ({
      chunk: { documentId, position: 0, text, metadata: { length: text.length } },
      score: closely(score),
    })),
  )
  const retriever = await createRetriever(join(folder, 'a.yaml'))
  expect(await retriever.retrieve('aa?', { k: 3 })).toEqual(
    expected.map(([document, text, score]) => ({
      id: expect.stringContaining(document),
      document,
      title: '',
      section: [],
      text,
      score: closely(score),
      metadata: { length: text.length },
    })),
  )
  await retriever.close()
})

test('the vector of a question is stored: asked again, it is not embedded', async () => {
  const { asked, baseUrl } = await fakeServer((_, { body }) => ({
    json: { data: body.input.map((text: string) => ({ embedding: [text.length, 1] })) },
  }))
  const prepare = `embedder: {openai-compatible: {baseUrl: "${baseUrl}", model: m}}`
  const { call } = callsIn(letters('naive, hybrid', prepare), {})
  const question = (text: string) => asked.filter(({ body }) => body.input.includes(text)).length
  for (const trial of ['naive', 'hybrid', 'naive']) {
    expect(await call('ask', 'a.yaml', 'Who?', '-t', trial)).toMatchObject({ code: 0 })
    expect(question('Who?')).toBe(1)
  }
  await call('ask', 'a.yaml', 'Who else?', '-t', 'naive')
  expect(question('Who else?')).toBe(1)
})

test('the tokenizer `whitespace` cuts texts and questions at white space only, in lower case', async () => {
  const folder = temporaryFolder({
    'a.yaml': `dataset: notes\nprepare: {chunk: headings}\ntrials: [{bm25: {stemmer: none, stopwords: none}}]\n`,
    'notes/a.md': 'Hello, World!\n',
  })
  const { call } = callsIn(folder, {})
  const found = async (question: string, ...more: string[]) =>
    JSON.parse((await call('ask', 'a.yaml', question, '--json', ...more)).out).sources.length
  const whitespace = ['--set', 'prepare.tokenizer=whitespace']
  expect(await found('hello')).toBe(1)
  expect(await found('hello', ...whitespace)).toBe(0)
  expect(await found('HELLO,', ...whitespace)).toBe(1)
  expect(await found('hello,world!', ...whitespace)).toBe(0)
})

test('what each step that ranks made of a source', async () => {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {embedder: lsa, graph: [titles]}
trials: [{hybrid: {}, after: [{graph-boost: {over: titles, boost: 0.5, onto: raw}}]}]
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder, {})
  const { out } = await call('ask', 'a.yaml', 'Where is TownA0?', '--json')
  const [{ score, ranked }] = JSON.parse(out).sources
  const scores = Object.fromEntries(
    ranked.map((one: { step: string; score: number }) => [one.step, one.score]),
  )
  // The last step is the ranking itself; the boost is what it has more than the fusion.
  const base = scores[ranked.at(-2).step]
  expect(ranked.at(-1)).toEqual({ step: 'graph-boost', rank: 1, score, base, added: score - base })
  expect(scores.bm25).toBeGreaterThan(0)
  expect(ranked[0]).not.toHaveProperty('base')
  const shown = await call('ask', 'a.yaml', 'Where is TownA0?', '--scores')
  expect(shown.out).toMatch(/ {3}bm25 +rank +1 {2}[\d.]+\n/)
  expect((await call('ask', 'a.yaml', 'Where is TownA0?')).out).not.toContain('rank    1')
  const { steps } = JSON.parse(out)
  expect(steps.map(({ step }: { step: string }) => step)).toEqual(
    expect.arrayContaining(['bm25', 'graph-boost']),
  )
  for (const { milliseconds } of steps) expect(milliseconds).toBeGreaterThanOrEqual(0)
})

test.each([
  'graph-boost: {over: titles, boost: 0.5}',
  'graph-embedding: {weight: 0.5}',
  'domain-codes: {patterns: [Town.0]}',
])(
  'each source has its score before %s, on the scale of the step, and the amount added',
  async (transform) => {
    const folder = temporaryFolder({
      'a.yaml': `dataset: towns
prepare: {embedder: lsa, graph: [titles]}
trials: [{bm25: {}, after: [{${transform}}]}]
`,
    })
    writeTowns(join(folder, 'towns'), { towns: 12 })
    const { call } = callsIn(folder, {})
    const argv = ['ask', 'a.yaml', 'Where is TownA0, on the road to TownF5?', '--depth', '12']
    const { sources } = JSON.parse((await call(...argv, '--json')).out)
    type Ranked = { step: string; score: number; base: number; added: number }
    const steps: [Ranked | undefined, Ranked][] = sources.map(({ ranked }: { ranked: Ranked[] }) => [
      ranked.find(({ step }) => step === 'bm25'),
      ranked.at(-1),
    ])
    const found = steps.flatMap(([bm25]) => (bm25 ? [bm25.score] : []))
    const scaled = !transform.startsWith('domain-codes')
    const [low, high] = scaled ? [Math.min(...found), Math.max(...found)] : [0, 1]
    for (const [bm25, { score, base, added }] of steps) {
      expect(base).toBeCloseTo(bm25 ? (bm25.score - low) / (high - low) : 0, 12)
      expect(base + added).toBeCloseTo(score, 12)
      if (!transform.startsWith('graph-boost')) continue
      // A half at one hop and two tenths at two, of at most three starts each.
      const sums = [0, 1, 2, 3].flatMap((near) => [0, 1, 2, 3].map((far) => 0.5 * near + 0.2 * far))
      expect(Math.min(...sums.map((sum) => Math.abs(sum - added)))).toBeLessThan(1e-9)
    }
    expect(steps.some(([, { added }]) => added > 0)).toBe(true)
    const [, { score, base, added }] = steps[0]
    expect((await call(...argv, '--scores')).out).toContain(
      `  ${score.toPrecision(4)} (${base.toPrecision(4)} and ${added.toPrecision(4)} added)\n`,
    )
  },
)

test('a question to traversal is traced: intent, terms, chunks and time of each path, and both ranks of a source', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: towns\nprepare: {embedder: lsa}\ntrials: [{traversal: {pool: 5}}]\n',
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder, {})
  const argv = ['ask', 'a.yaml', 'What does TownA0 live by?', '--depth', '10']
  const { steps, counters, notes, sources } = JSON.parse((await call(...argv, '--json')).out)
  expect(notes).toEqual({ intent: 'definition', terms: 'towna0, towna0 live' })
  const { overlap } = counters
  expect(counters).toMatchObject({ expandedTerms: 2, termsWithHits: 2, termHitRate: 1 })
  expect(counters).toMatchObject({ chunksWithTerms: 12, byTerms: 5, semantic: 5 })
  type Source = { ranked: { step: string; rank: number }[] }
  const ranksIn = (path: string) =>
    sources.map(({ ranked }: Source) => ranked.find(({ step }) => step === path)?.rank ?? 0)
  const [byTerms, semantic] = [ranksIn('score-terms'), ranksIn('dense')]
  for (const ranks of [byTerms, semantic])
    expect(ranks.filter((rank: number) => rank > 0).sort()).toEqual([1, 2, 3, 4, 5])
  expect(byTerms.filter((rank: number, at: number) => rank > 0 && semantic[at] > 0)).toHaveLength(overlap)
  expect(sources).toHaveLength(10 - overlap)
  const times: Record<string, number> = Object.fromEntries(
    steps.map(({ step, milliseconds }: { step: string; milliseconds: number }) => [step, milliseconds]),
  )
  for (const step of ['expand-terms', 'match-terms', 'score-terms', 'embed-query', 'dense', 'fuse'])
    expect(times[step], step).toBeGreaterThan(0)
  const { out } = await call(...argv)
  expect(out).toMatch(/\n {2}match-terms +[\d.]+ ms\n/)
  expect(out).toMatch(/\n {2}overlap +\d\n/)
  expect(out).toContain('\n  intent: definition\n  terms: towna0, towna0 live\n')
})

test('hops are shown with their reasons, and each source with its hop', async () => {
  const folder = temporaryFolder({
    'a.yaml':
      'dataset: towns\nprepare: {graph: [titles]}\ntrials: [{multi-hop: {judge: rules, of: bm25, hopChunks: 1}}, bm25]\n',
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder, {})
  const question = 'Does TownA0 trade with TownB1?'
  const { out } = await call('ask', 'a.yaml', question, '-t', 'multi-hop')
  expect(out).toMatch(/\n {2}hops +1\n/)
  expect(out).toMatch(/\n {2}hop 1 can_answer: no\n {2}hop 1 reasoning: named, and no chunk of it: town/)
  expect(out).toMatch(/\n1\. .*\[hop 0\]\n/)
  expect(out).toMatch(/\n2\. .*\[hop 1, heading 0\.99\]\n/)
  const { sources } = JSON.parse((await call('ask', 'a.yaml', question, '-t', 'multi-hop', '--json')).out)
  expect(sources.slice(0, 2).map(({ mark }: { mark: string }) => mark)).toEqual([
    'hop 0',
    'hop 1, heading 0.99',
  ])
  expect((await call('ask', 'a.yaml', question, '-t', 'bm25')).out).not.toContain('hop')
})

test('a run keeps the hop of each chunk, and verdicts and hops of each query', async () => {
  const hops = '{name: hops, multi-hop: {of: bm25, hopChunks: 1, maxHops: 2}}'
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns\nprepare: {graph: [titles]}\ntrials: [${hops}, bm25]\nmeasures: [recall@5]\ncompare: {draws: 200}\n`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call, run } = callsIn(folder, {})
  expect(await run('out')).toMatchObject({ code: 0 })
  const table = (name: string) => readTable(join(folder, 'out', name))
  const queries = (await table('queries.parquet')).strings('text')
  const [rankings, diagnostics] = [await table('rankings.parquet'), await table('diagnostics.parquet')]
  const rowsOf = ({ rows, numbers }: typeof rankings, query: number) => {
    const [trials, numbered] = [numbers('trial'), numbers('query')]
    return [...Array(rows).keys()].filter((row) => trials[row] === 0 && numbered[row] === query)
  }
  const [names, values] = [diagnostics.strings('name'), diagnostics.numbers('value')]
  const [texts, marks] = [diagnostics.strings('text'), rankings.strings('mark')]
  let hopped = 0
  for (const [query, text] of queries.entries()) {
    const said = rowsOf(diagnostics, query)
    const asked = JSON.parse((await call('ask', 'a.yaml', text, '-t', 'hops', '--json')).out)
    const notes = said.filter((row) => Number.isNaN(values[row])).map((row) => [names[row], texts[row]])
    expect(Object.fromEntries(notes)).toEqual(asked.notes)
    for (const part of ['can_answer', 'reasoning', 'missing_query'])
      expect(Object.keys(asked.notes)).toContain(`hop 1 ${part}`)
    const hopsUsed = said.filter((row) => names[row] === 'hops').map((row) => values[row])
    expect(hopsUsed[0] ?? 0).toBe(asked.counters.hops ?? 0)
    hopped += hopsUsed[0] ?? 0
    const found = rowsOf(rankings, query).slice(0, 5)
    expect(found.map((row) => marks[row])).toEqual(
      asked.sources.map(({ mark }: { mark: string | null }) => mark ?? ''),
    )
  }
  expect(hopped).toBeGreaterThan(0)
  expect(new Set(marks)).toEqual(new Set(['', 'hop 0', 'hop 1, heading 0.99', 'hop 2, heading 0.99']))
})

test('a question that nothing matches has no sources, and says so', async () => {
  const folder = temporaryFolder({ 'a.yaml': 'dataset: towns\ntrials: [bm25]\n' })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder, {})
  expect((await call('ask', 'a.yaml', 'Zyzzyva?')).out).toContain('nothing was found')
  expect(JSON.parse((await call('ask', 'a.yaml', 'Zyzzyva?', '--json')).out).sources).toEqual([])
})

test('a weak match is told, where there is a dense search', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: towns\nprepare: {embedder: lsa}\ntrials: [naive, bm25]\n',
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { call } = callsIn(folder, {})
  const nearest = async (trial: string) =>
    JSON.parse((await call('ask', 'a.yaml', 'TownA0 lives by weaving.', '-t', trial, '--json')).out).nearest
  const cosine = await nearest('naive')
  expect(cosine).toBeGreaterThan(0.3)
  expect(cosine).toBeLessThanOrEqual(1 + 1e-6)
  expect(weakMatch(cosine)).toBeNull()
  expect(weakMatch(0.221)).toBe('weak match: the nearest chunk has a cosine of 0.22, below 0.3')
  expect(await nearest('bm25')).toBeNull()
  expect(weakMatch(null)).toBeNull()
  const near = await call('ask', 'a.yaml', 'TownA0 lives by weaving.', '-t', 'naive')
  expect(near.out).not.toMatch(/weak match|null/)
  const far = ['ask', 'a.yaml', 'Zyzzyva quartz?', '--set', `prepare.embedder=${resolve(CASED)}`]
  expect((await call(...far, '-t', 'naive')).out).toMatch(
    /\n {2}weak match: the nearest chunk has a cosine of 0\.[012]\d, below 0\.3\n/,
  )
  expect((await call(...far, '-t', 'bm25')).out).not.toContain('weak match')
})
