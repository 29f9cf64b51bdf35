import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { callsInTowns } from '../cli/calls.ts'
import { completion } from '../cli/fake-model.ts'
import { standIn } from '../cli/stand-in.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { type Behaviour, fakeServer } from '../models/fake-server.ts'

const CANARY = 'sk-canary-4f1d9c'

/** Completion with counted tokens. */
const answer = (text: string, finish?: string) =>
  completion(text, {
    finish,
    usage: {
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens: 10,
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  })
const passage = (prompt: string) => answer(`It may be so: ${prompt.slice(-60)}`)

async function setUp(
  behave: (n: number, prompt: string) => Behaviour = (_, prompt) => passage(prompt),
  { model = '', more = '' } = {},
) {
  const server = await fakeServer((n, { body }) => behave(n, body.messages[0].content))
  const calls = callsInTowns(
    `dataset: towns
models:
  tiny: {openai-compatible: {baseUrl: "${server.baseUrl}", model: tiny, temperature: 0, apiKeyEnv: TINY_KEY, concurrency: 2${model}}}
trials:
  - bm25
  - naive: {}
    before: [{hyde: {model: tiny}}]
  - bm25: {}
    before: [{query2doc: {model: tiny, grid: {seed: [0, 1]}}}]
compare: {draws: 200}
${more}`,
    {},
    12,
    { TINY_KEY: CANARY },
  )
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('TINY_KEY', CANARY)
  return { ...server, ...calls }
}

/** Of 13 queries: what hyde asks, and query2doc twice. */
const QUESTIONS = 39

test('a run asks each question once, and replays from its own answers to the same bytes without a model or a key', async () => {
  const { asked, run, folder, resultOf, summaryOf } = await setUp()
  // As installed, with threads: they only replay.
  const bin = fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url))
  const argv = [bin, 'run', 'a.yaml', '--workers', '2', '--out', 'first', '--report', 'first.html']
  await promisify(execFile)(process.execPath, argv, {
    cwd: folder,
    env: { ...process.env, TINY_KEY: CANARY },
  })
  expect(asked).toHaveLength(QUESTIONS)
  expect(asked[0].headers.authorization).toBe(`Bearer ${CANARY}`)
  const { answers, trials } = {
    answers: readFileSync(join(folder, 'first', 'answers.jsonl'), 'utf8'),
    trials: summaryOf('first').trials,
  }
  expect(answers.trim().split('\n')).toHaveLength(QUESTIONS)
  expect(trials.map(({ name }: { name: string }) => name)).toContain('naive')

  vi.stubEnv('TINY_KEY', '')
  expect(await run('again')).toMatchObject({ code: 0 })
  expect(
    await run('replayed', '--set', 'models.tiny={recorded: first/answers.jsonl}', '--store', 'other'),
  ).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(QUESTIONS)
  expect([resultOf('again'), resultOf('replayed')]).toEqual([resultOf('first'), resultOf('first')])

  writeFileSync(join(folder, 'few.jsonl'), answers.split('\n').slice(0, 5).join('\n'))
  const lacking = await run('lacking', '--set', 'models.tiny={recorded: few.jsonl}', '--store', 'third')
  expect(lacking.code).toBe(2)
  expect(lacking.err).toMatch(
    /few\.jsonl: holds no completion of the model `tiny` for "\.\.\.[\s\S]*; left undone: 34 completions of `tiny`\. Record them/,
  )
  // Which answers were read is part of what the result is.
  writeFileSync(join(folder, 'other.jsonl'), answers.replaceAll('It may be so', 'It may not be so'))
  expect((await run('altered', '--set', 'models.tiny={recorded: other.jsonl}')).err).toContain(
    'is not a stored completion',
  )
})

test('what was answered before a server went away is not asked again', async () => {
  const { asked, run, resultOf } = await setUp((n, prompt) =>
    n > 7 && n < 16 ? { status: 401, json: { error: 'gone' } } : passage(prompt),
  )
  const stopped = await run('a')
  expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining('401 {"error":"gone"}')])
  const paid = asked.length
  expect(paid).toBeLessThanOrEqual(7 + 2)
  while ((await run('a')).code !== 0) expect(asked.length).toBeLessThan(30)
  const good = asked.filter((_, n) => n < 7 || n > 14).map(({ body }) => JSON.stringify(body))
  expect(good).toHaveLength(QUESTIONS)
  const undisturbed = await setUp()
  await undisturbed.run('a')
  expect(resultOf('a')).toBe(undisturbed.resultOf('a'))
})

test('Ctrl-C keeps what was answered, and what is under way', async () => {
  const terminals: ReturnType<typeof standIn>[] = []
  const { asked, run, folder } = await setUp((n, prompt) => {
    if (n === 5) terminals[0].interrupt()
    return passage(prompt)
  })
  terminals.push(standIn({ folder }))
  const argv = ['run', 'a.yaml', '--workers', '1', '--out', 'a', '--report', 'a.html']
  expect(await main(argv, terminals[0])).toBe(130)
  expect(terminals[0].stderr()).toContain('stopped while asking models')
  expect(asked.length).toBeLessThanOrEqual(6)
  expect(await run('a')).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(QUESTIONS)
})

// 100 read, 20 of them cached, and 10 written: $0.00019 an answer.
const PRICED = ', price: {input: 1, output: 10, cachedInput: 0.5}'

test.each([
  ['dollars: 0.00185', 'the budget of $0.0019 is used up ($0.0019)', 10],
  ['tokens: 1090', 'the budget of 1,090 tokens is used up (1,100)', 10],
])('a budget of %s stops, says what is left, and goes on with more', async (budget, words, paid) => {
  const { asked, run } = await setUp(undefined, { model: PRICED, more: `budget: {${budget}}` })
  const stopped = await run('a')
  expect(stopped.code).toBe(2)
  expect(stopped.err).toContain(words.slice(0, words.indexOf('(')))
  expect(stopped.err).toContain(
    `left undone: ${QUESTIONS - asked.length} completions of \`tiny\`. Completions are stored`,
  )
  // No more than what was under way.
  expect(asked.length).toBeGreaterThanOrEqual(paid)
  expect(asked.length).toBeLessThanOrEqual(paid + 1)
  const before = asked.length
  expect((await run('a')).err).toContain('is used up')
  expect(asked).toHaveLength(before)
  expect(await run('a', '--set', 'budget={dollars: 1, tokens: 1000000}')).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(QUESTIONS)
})

test('a plan bounds calls, tokens and dollars, before and after some are answered, and asks nothing', async () => {
  const { asked, run, call } = await setUp(undefined, { model: `${PRICED}, maxTokens: 40` })
  const planned = async (...more: string[]) =>
    JSON.parse((await call('plan', 'a.yaml', '--json', ...more)).out).toAsk
  const { calls, later } = await planned()
  expect(later).toEqual([])
  const [tiny] = calls
  expect(tiny).toMatchObject({
    role: 'steps',
    model: 'tiny',
    calls: QUESTIONS,
    spareCalls: 0,
    outputTokens: 40 * QUESTIONS,
    stored: { completions: 0, tokens: 0, dollars: 0 },
  })
  expect(tiny.dollars).toBeCloseTo((tiny.inputTokens + 10 * tiny.outputTokens) / 1e6, 12)
  expect(asked).toEqual([])
  await run('a', '--set', 'trials=[{bm25: {}, before: [{query2doc: {model: tiny}}]}]')
  const [half] = (await planned()).calls
  expect(half).toMatchObject({ calls: 26, stored: { completions: 13, tokens: 13 * 110 } })
  expect(half.stored.dollars).toBeCloseTo(13 * 0.00019, 12)
  expect((await call('plan', 'a.yaml')).out).toMatch(
    /calls for steps: tiny: 26, about [\d,]+ tokens read, at most 1,040 written, at most \$0\.\d+; 13 completions stored \(1,430 tokens, \$0\.0025\)/,
  )
  await run('a')
  expect((await planned()).calls).toMatchObject([{ calls: 0, stored: { completions: QUESTIONS } }])
  expect(asked).toHaveLength(QUESTIONS)
  expect(await planned('--set', 'models.tiny={recorded: a/answers.jsonl}')).toMatchObject({
    calls: [{ calls: 0, stored: { completions: QUESTIONS } }],
    later: [],
  })
})

test('a refusal fails its query and no other, or is handed on', async () => {
  const refusing = (n: number, prompt: string): Behaviour =>
    n === 3 ? answer('', 'content_filter') : passage(prompt)
  const { run, folder } = await setUp(refusing)
  const { code, err } = await run('a')
  expect(code).toBe(0)
  expect(err).toContain('failed on 1 of 13 queries')
  expect(err).toContain('in the step ask-model: the model refused to answer')
  const large = `\n  large: {openai-compatible: {baseUrl: "BASE", model: tiny, revision: b}}`
  const yaml = readFileSync(join(folder, 'a.yaml'), 'utf8')
  const [, base] = /baseUrl: "([^"]+)"/.exec(yaml) ?? []
  writeFileSync(
    join(folder, 'b.yaml'),
    yaml.replace('concurrency: 2}}', `concurrency: 2, fallback: large}}${large.replace('BASE', base)}`),
  )
  const handed = standIn({ folder })
  expect(await main(['run', 'b.yaml', '--workers', '1', '--out', 'b', '--report', 'b.html'], handed)).toBe(0)
  expect(handed.stderr()).not.toContain('failed')
  // KoboldCpp speaks a protocol of its own.
  const kobold = await fakeServer((_, { body }) => ({
    json: { results: [{ text: `Perhaps: ${body.prompt.slice(-60)}`, finish_reason: 'stop' }] },
  }))
  const local = `\n  large: {koboldcpp: {baseUrl: "${kobold.baseUrl}", model: tiny-q4}}`
  writeFileSync(
    join(folder, 'c.yaml'),
    yaml.replace('concurrency: 2}}', `concurrency: 2, fallback: large}}${local}`),
  )
  const taken = standIn({ folder })
  expect(await main(['run', 'c.yaml', '--workers', '1', '--out', 'c', '--report', 'c.html'], taken)).toBe(0)
  expect(taken.stderr()).not.toContain('failed')
  expect(kobold.asked.map(({ url }) => url)).toEqual(['/v1/v1/generate'])
})

test('completions are exported and pruned', async () => {
  const { run, call, folder } = await setUp()
  await run('a')
  await run('b', '--set', 'trials=[bm25, {bm25: {}, before: [{query2doc: {model: tiny, seed: 7}}]}]')
  const prunes = (...more: string[]) => call('clean', '.touchstone', ...more)
  const clean = (...more: string[]) => prunes(...more, '--yes')
  const unused = async (...names: string[]) => {
    const keep = names.flatMap((name) => ['--keep', name])
    return JSON.parse((await prunes('--completions', ...keep, '--json')).out).removed.length
  }
  expect(await unused('a')).toBe(13)
  // An experiment over several datasets keeps the completions of each.
  writeTowns(join(folder, 'hamlets'), { towns: 16 })
  expect((await run('several', '--set', 'dataset=[towns, hamlets]')).code).toBe(0)
  // Some hamlets are called as towns are: their questions are asked once for both.
  expect(await unused('a')).toBeGreaterThan(13)
  expect(await unused('several')).toBe(13)
  expect(await unused('several', 'b')).toBe(0)
  expect((await clean('--completions', '--keep', 'a')).code).toBe(0)
  const exported = (path: string, out: string) => call('export', path, '--to', 'recording', '--out', out)
  expect((await exported('.touchstone', 'x.jsonl')).out).toMatch(/x\.jsonl: 39 completions, SHA-256 /)
  expect((await exported('a', 'y.jsonl')).code).toBe(0)
  const used = readFileSync(join(folder, 'a', 'answers.jsonl'))
  expect([readFileSync(join(folder, 'x.jsonl')), readFileSync(join(folder, 'y.jsonl'))]).toEqual([used, used])
  expect((await exported('a', 'y.jsonl')).err).toContain('y.jsonl: is there already')
  const [file] = filesBelow(join(folder, '.touchstone', 'completions'))
  writeFileSync(file, readFileSync(file, 'utf8').replace('It may', 'It will'))
  const altered = await exported('.touchstone', 'z.jsonl')
  expect([altered.code, altered.err]).toEqual([2, expect.stringContaining('is not a stored completion')])
  expect((await clean('--failed')).out).toMatch(/^removed: 1 completions, /)
  expect((await clean('--all', '--completions')).out).toMatch(/^removed: 38 completions, /)
})

test('no key is in any file that is written, nor in anything that is said, though the servers repeat it', async () => {
  // Counts letters and digits.
  const vector = (text: string) => ({
    embedding: Array.from('aeiou012345', (sign) => text.split(sign).length),
  })
  const { baseUrl } = await fakeServer((_, { headers: { authorization }, body }) =>
    authorization === `Bearer ${CANARY}`
      ? { json: { data: [body.input].flat().map(vector) } }
      : { status: 401, json: `no: ${authorization}` },
  )
  const behave = (n: number, prompt: string): Behaviour =>
    n === 2
      ? { status: 500, headers: { 'x-echo': CANARY }, json: { error: `Bearer ${CANARY}` } }
      : completion(`${CANARY} ${prompt.slice(-20)}`, { message: { echoed: CANARY } })
  const embedder = `{openai-compatible: {baseUrl: "${baseUrl}", model: m, apiKeyEnv: EMBED_KEY}}`
  const { run, call, folder, said } = await setUp(behave, { more: `prepare: {embedder: ${embedder}}\n` })
  vi.stubEnv('EMBED_KEY', CANARY)
  expect((await run('a')).code).toBe(0)
  await call('check', 'a.yaml', '--models', '--json')
  await call('ask', 'a.yaml', 'Where is TownA0?', '--trial', 'naive', '--json')
  await call('export', '.touchstone', '--to', 'recording', '--out', 'x.jsonl')
  vi.stubEnv('EMBED_KEY', `${CANARY}-wrong`)
  const { code, out, err } = await call('ask', 'a.yaml', 'Never embedded', '--trial', 'naive')
  expect([code, out + err]).toEqual([2, expect.stringContaining('401')])
  const files = filesBelow(folder)
  const names = ['answers.jsonl', 'plan.json', 'manifest.json', 'a.html', 'experiment.yaml', 'artifact.json']
  for (const name of [...names, 'x.jsonl'])
    expect(
      files.some((file) => file.endsWith(name)),
      name,
    ).toBe(true)
  expect(files.filter((file) => readFileSync(file).includes(CANARY))).toEqual([])
  expect(said()).not.toContain(CANARY)
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort()
}
