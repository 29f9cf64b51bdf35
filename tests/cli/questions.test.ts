import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from './calls.ts'
import { fakeModel, modelAt } from './fake-model.ts'

const jsonl = (folder: string, file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const LONG = (town: string) =>
  `# The town of ${town}\n\nThe people of ${town} weave linen sails for ships of the western coast, dry herring on long wooden racks beside the river, and hold a market on the first Tuesday after every full moon in autumn.\n`

async function withModel(behave: (prompt: string) => string) {
  const server = await fakeModel(behave)
  const files = Object.fromEntries(
    ['Alden', 'Merrow', 'Tarn', 'Osk'].map((town) => [`docs/${town}.md`, LONG(town)]),
  )
  const config = `dataset: {folder: docs}
models:
  tiny: ${modelAt(server.baseUrl, 'model: tiny, maxTokens: 60')}
trials: [bm25, naive]
`
  return { ...server, ...callsInTowns(config, files) }
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

test('init has a model draft the questions of a new config, and writes no files if it drafts none', async () => {
  let isUp = true
  const { folder, call, baseUrl } = await withModel((prompt) => {
    if (!isUp) return 'I cannot draft questions.'
    const [, town] = /The people of (\w+)/.exec(prompt) ?? []
    return JSON.stringify(
      prompt.startsWith('Say whether')
        ? { answerable: true, answer: 'x' }
        : { question: `Which cloth do the weavers of ${town} sell?`, answer: 'linen sails' },
    )
  })
  const init = (to: string) =>
    call('init', to, '--from', 'docs', '--embedder', 'lsa', '--model', modelAt(baseUrl))
  const { code, out, err } = await init('mine')
  expect(code, err).toBe(0)
  expect(out).toMatch(/questions: \d+ questions? drafted by the model/)
  expect(out).toMatch(/\d+ of \d+ drafts were dropped:\n {2}\d+: /)
  expect(jsonl(folder, 'mine/questions.jsonl')[0].text).toMatch(/^Which cloth do the weavers of/)
  isUp = false
  const none = await init('other')
  expect(none.code).toBe(2)
  expect(none.err).toContain('no question is left of ')
  expect(readdirSync(join(folder, 'other'))).toEqual(['.touchstone'])
})
