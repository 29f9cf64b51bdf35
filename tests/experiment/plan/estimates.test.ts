import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { countAnswers } from '../../../src/experiment/plan/estimates/answers.ts'
import { openTally } from '../../../src/experiment/plan/estimates/calls.ts'
import { countTextsToEmbed } from '../../../src/experiment/plan/estimates/texts.ts'
import { type OpenExperiment, openExperiment } from '../../../src/experiment/plan/open.ts'
import { prepareAll } from '../../../src/experiment/plan/prepare.ts'
import { trackSpending } from '../../../src/experiment/plan/spending.ts'
import { runFolder } from '../../../src/experiment/run.ts'
import {
  askWithFallbacks,
  type CachedModel,
  type CompletionRequest,
} from '../../../src/models/completions/cached-model.ts'
import { storedCompletion } from '../../../src/models/completions/request.ts'
import type { Artifact } from '../../../src/store/artifact.ts'
import type { Progress } from '../../../src/types.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { completion, pair, question } from '../../models/completions/fixture.ts'
import { runOptions, setUp } from '../experiments.ts'

const asking = (content: string, more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  prompt: 'p',
  messages: [{ role: 'user', content }],
  repeat: 0,
  ...more,
})

/** Reads 10 tokens a message, writes up to 5, at a dollar a token. */
function model(name: string, more: Partial<CachedModel> = {}): CachedModel {
  return {
    name,
    concurrency: 1,
    stored: () => undefined,
    cost: () => 6,
    requireKey: () => {},
    keepFailures: () => {},
    ask: () => expect.fail('nothing is asked'),
    fail: () => expect.fail('nothing failed'),
    estimate: ({ messages }) => ({
      input: 10 * messages.length,
      output: 5,
      dollars: 10 * messages.length + 5,
      key: JSON.stringify([name, messages]),
    }),
    ...more,
  }
}
const WAITS = 'has no completion yet'

describe('calls of steps and of the corpus', () => {
  test('are not needed with a stored completion, which counts once and for the budget', async () => {
    const spending = trackSpending({ dollars: 6 }, () => 0)
    const tally = openTally(spending)
    const refused = storedCompletion(question('one'), completion('', { finish: 'refusal' }))
    const small = tally.wrap('steps')(model('small', { stored: () => refused, fallback: model('large') }))
    await expect(askWithFallbacks(small, asking('one'))).rejects.toThrow(WAITS)
    expect(() => spending.check()).toThrow('is used up')
    const unpriced = tally.wrap('corpus')(model('own', { stored: () => pair('two', 'a'), cost: () => null }))
    for (let times = 0; times < 2; times++)
      expect((await unpriced.ask(asking('two'))).completion.text).toBe('a')
    expect(tally.rows()).toMatchObject([
      { model: 'own', calls: 0, stored: { completions: 1, tokens: 6, dollars: null } },
      { model: 'large', calls: 1 },
      { model: 'small', calls: 0, stored: { completions: 1, tokens: 6, dollars: 6 } },
    ])
  })
})

describe('calls of answerers and judges', () => {
  const provider = { name: 'openai-compatible', params: { baseUrl: 'http://localhost:1/v1', model: 'm' } }
  const map = { ...provider, params: { ...provider.params, model: 'map' } }
  const recipe = { ...recipeOf(documentsOf(['Salt is raked.'])), models: { m: provider, map } }
  const named = (name: string, params: object = {}) => ({
    name,
    choice: { name, params: { model: 'm', ...params } },
  })
  const LLM = named('llm', { context: 'documents', maxTokens: 100 })
  const queries = [
    { text: 'Why?', answers: ['a'], evidence: ['so'] },
    { text: 'Where is it?', answers: ['b', 'c'] },
  ]

  interface Given {
    readonly limit?: number | null
    readonly trials?: readonly object[]
    /** Tokens of the longest chunk; undefined before chunks are made. */
    readonly chunk?: number
    readonly stored?: CachedModel['stored']
  }

  /** Rows and prompts for three trials and two queries. A call reads a token per x of its prompt and writes up to 5. */
  async function count(answering: readonly object[], judging: readonly object[] = [], options: Given = {}) {
    const { limit = 5, trials = [{}, {}, {}], chunk, stored = () => undefined } = options
    const prompts: string[] = []
    const tally = openTally()
    const openModel = (name: string) =>
      model(name, {
        stored,
        estimate({ messages }) {
          const [{ content }] = messages
          if (messages.length === 1) prompts.push(content)
          const input = messages.map(({ content }) => content.split(/\bx\b/).length - 1)
          const read = 1 + input.reduce((sum, tokens) => sum + tokens)
          return { key: content, input: read, output: limit, dollars: limit === null ? null : 1 }
        },
      })
    await countAnswers(
      {
        experiment: { context: { top: 5 }, answering, judging },
        dataset: { queries },
        trials,
        recipes: [recipe],
        store: {
          missing: (artifacts: unknown[]) => (chunk === undefined ? artifacts : []),
          open: async ({ name, inputs }: Artifact<unknown>) =>
            name === 'chat_model'
              ? openModel((inputs.answers.params as { readonly model: string }).model)
              : [{ tokens: chunk }],
        },
      } as unknown as OpenExperiment,
      tally,
    )
    return { rows: tally.rows(), prompts }
  }

  test.each([
    ['correctness', 1, 5],
    ['answer_correctness', 3, 5 + 0 + 2 * 5],
    ['coverage', 2, 0 + 5 + 5],
    ['faithfulness', 2, 5 + 100 + 5],
    ['answer_relevancy', 3, 3 * 5],
    ['context_recall', 1, 100],
    ['evidence_recall', 1, 100],
    ['context_relevance', 2, 2 * 100],
    ['rubric', 1, 5],
  ])('%s: %i calls per answer', async (name, calls, tokens) => {
    const judging = [named(name, name === 'rubric' ? { criterion: 'Is it short?' } : {})]
    const [, judge] = (await count([LLM], judging)).rows
    const spare = { spareCalls: 6 * calls, dollars: 2 * 6 * calls }
    expect(judge).toMatchObject({ role: 'judges', calls: 6 * calls, ...spare })
    // A repair reads the prompt, and at most 300 tokens and a completion.
    expect(judge.inputTokens).toBe(6 * (2 * (calls + tokens) + calls * (300 + 5)))
  })
})

describe('texts to embed', () => {
  const load = (at: ReturnType<typeof setUp>, set: readonly string[] = []) =>
    loadConfig(at.config, { set, env: {}, folder: '/' })
  const noClock = () => expect.fail('nothing is measured')

  /** Number of embedded texts by table. */
  function watch() {
    const embedded: Record<string, number> = {}
    const progress: Progress = (label, done, total) => {
      const [, table] = /^embedding (\S+)/.exec(label) ?? []
      if (table !== undefined && done === total) embedded[table] = (embedded[table] ?? 0) + total
    }
    return { embedded, progress }
  }

  test('what is planned on a fresh store is what is then embedded', async () => {
    const at = setUp(
      '[naive, title-ppr, graphrag-local, graphrag-global, lightrag, hipporag]',
      'prepare: {embedder: {lsa: {dims: 16}}, graph: [rules, titles], communities: leiden, reports: extractive}\n',
    )
    const planning = watch()
    const open = () => load(at).then((experiment) => openExperiment(experiment, at.store))
    const { toEmbed } = await countTextsToEmbed(await open(), new Map(), noClock, planning.progress)
    expect(toEmbed).toMatchObject({ chunks: 24, queries: 25, facts: expect.any(Number) })
    expect(planning.embedded).toEqual({})
    const made = readdirSync(at.store)
    expect(made).toEqual(expect.arrayContaining(['text_units', 'graph', 'communities', 'community_reports']))
    expect(made.filter((name) => /^(embed|vectors|lsa|synonym)/.test(name))).toEqual([])
    const { embedded, progress } = watch()
    const prepared = await openExperiment(await load(at), at.store)
    await prepareAll(prepared, progress)
    await runFolder(prepared, runOptions(at.at('out'), { progress }))
    expect(Object.fromEntries(Object.entries(toEmbed).filter(([, n]) => n !== 0))).toEqual(embedded)
    const again = await countTextsToEmbed(await open(), new Map(), noClock)
    expect(Object.values(again.toEmbed).every((n) => n === 0)).toBe(true)
  })
})
