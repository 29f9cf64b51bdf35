import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { estimateAnswers } from '../../../src/experiment/plan/estimate-answers.ts'
import { estimateJudges } from '../../../src/experiment/plan/estimate-judges.ts'
import type { OpenExperiment } from '../../../src/experiment/plan/open.ts'
import type { CompletionRequest } from '../../../src/models/completions/cached-model.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'

const provider = { name: 'openai-compatible', params: { baseUrl: 'http://localhost:1/v1', model: 'm' } }
const plain = recipeOf(documentsOf(['Salt is raked.']))
const named = (name: string, choice: string, params: object) => ({ name, choice: { name: choice, params } })
const documents = (maxTokens: number) => ({ context: 'documents', maxTokens })
const prompts = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
afterAll(() => rmSync(prompts, { recursive: true }))
for (const [name, text] of Object.entries({
  'llm.md': '{{query}}|{{context}}',
  'closed.md': '{{query}}|',
  'rubric.md': '{{query}}|{{answer}}|{{criterion}}',
  'faithful.md': '{{context}}|{{statements}}',
  'statements.md': '{{query}}|{{answer}}',
}))
  writeFileSync(join(prompts, name), text)
const prompt = (name: string) => join(prompts, `${name}.md`)
const LLM = named('l', 'llm', { model: 'm', prompt: prompt('llm'), ...documents(100) })
const CLOSED = named('c', 'closed-book', { model: 'm', prompt: prompt('closed') })
const EXTRACTIVE = named('e', 'extractive', documents(40))
const RUBRIC = named('r', 'rubric', {
  ...{ model: 'm', criterion: 'c', prompt: prompt('rubric') },
})
const FAITHFUL = named('f', 'faithfulness', {
  ...{ model: 'm', prompt: prompt('faithful'), statementsPrompt: prompt('statements') },
})

/** An experiment of three trials and two queries; a call reads 10 tokens, writes up to `output` and costs a dollar. */
function open(more: object, output: number | null = 5, trials = 3) {
  const prompts: string[] = []
  const model = {
    name: 'm',
    estimate({ messages }: CompletionRequest) {
      const content = messages.at(-1)?.content ?? ''
      if (content.includes('|')) prompts.push(content)
      return { key: content, input: 10, output, dollars: output === null ? null : 1 }
    },
  }
  const opened = {
    experiment: { recording: null, context: { top: 5 }, answering: [], judging: [], ...more },
    dataset: {
      queries: [
        { text: 'Why?', answers: ['a'] },
        { text: 'Where is it?', answers: ['b', 'c'] },
      ],
    },
    trials: Array.from({ length: trials }, () => ({})),
    // The first recipe has the models.
    recipes: [{ ...plain, models: { m: provider } }, plain],
    store: { open: async () => model },
  } as unknown as OpenExperiment
  return { opened, prompts }
}
const x = (tokens: number) => ' x'.repeat(tokens)

test('answers are bounded by the longest query and context, for every finalist; closed-book once', async () => {
  const { opened, prompts } = open({ answering: [LLM, EXTRACTIVE, CLOSED] })
  expect(await estimateAnswers(opened)).toEqual([
    { answerer: 'l', contexts: 3, calls: 6, inputTokens: 60, outputTokens: 30, dollars: 6 },
    { answerer: 'c', contexts: 1, calls: 2, inputTokens: 20, outputTokens: 10, dollars: 2 },
  ])
  // 100 tokens and 12 for the marks of each of 5 documents.
  expect(prompts).toEqual([`Where is it?|${x(160)}`, 'Where is it?|'])
  // No more than 20 trials are finalists.
  expect((await estimateAnswers(open({ answering: [LLM] }, 5, 25).opened))[0].contexts).toBe(20)
  expect(await estimateAnswers(open({ answering: [EXTRACTIVE] }).opened)).toEqual([])
  expect(await estimateAnswers(open({ answering: [LLM], recording: 'r' }).opened)).toEqual([])
})

test('judging is bounded by the longest answer to each query in every row, and JSON is asked for twice', async () => {
  const answering = [LLM, EXTRACTIVE, CLOSED]
  const { opened, prompts } = open({ answering, judging: [RUBRIC, FAITHFUL] })
  // Rows: 3 trials of two answerers, and one without retrieval; 2 queries each.
  expect(await estimateJudges(opened)).toEqual([
    { judge: 'r', calls: 28, inputTokens: 280, outputTokens: 140, dollars: 28, unlimited: false },
    { judge: 'f', calls: 56, inputTokens: 560, outputTokens: 280, dollars: 56, unlimited: false },
  ])
  // An extracted answer may be its whole context: 40 tokens and 60 of marks. A completion has 5.
  expect(prompts).toEqual([
    `Where is it?|${x(100)}|c`,
    `Where is it?|${x(100)}`,
    // Statements are read as long as they may be written.
    `${x(160)}|${x(5)}`,
  ])
  expect(await estimateJudges(open({ answering, judging: [RUBRIC], recording: 'r' }).opened)).toEqual([])
})

test('without a limit to answers, judging has no bound in dollars', async () => {
  const { opened, prompts } = open({ answering: [LLM], judging: [RUBRIC] }, null)
  expect(await estimateJudges(opened)).toEqual([
    { judge: 'r', calls: 12, inputTokens: 120, outputTokens: null, dollars: null, unlimited: true },
  ])
  expect(prompts).toEqual(['Where is it?||c'])
})
