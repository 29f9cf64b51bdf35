import { join } from 'node:path'
import type { PromptName } from '../../src/models/prompts/prompt.ts'
import type { Labelling } from './labels.ts'

/** A role of a language model, and the rows that show its effect. */
export interface Role {
  readonly id: string
  readonly role: string
  /** Prompts that the role asks with, the first one first. */
  readonly prompts: readonly PromptName[]
  /** Prompts of our own that it asks with in place of the shipped one, files in `prompts`. */
  readonly own?: readonly string[]
  /** True if a completion must cite a passage. */
  readonly cites?: boolean
  /** Longest completion in tokens. */
  readonly maxTokens: number
  /** True if HotpotQA is cut to the gold passages of its questions, as the model reads every passage. */
  readonly goldPassages?: boolean
  readonly prepare?: Readonly<Record<string, unknown>>
  readonly trials: readonly unknown[]
  readonly answer?: unknown
  /** A judge of answers, compared with labels. */
  readonly judge?: { readonly labels: Labelling; readonly params?: object }
  readonly effect: readonly Effect[]
}

/**
 * Sizes of the model, each with the number of questions of a set, or of labelled pairs, that it is asked: a larger one is slower.
 * A judge reads the labelled pairs beside one question.
 */
export const SIZES: Readonly<Record<string, number>> = { '0.5b': 100, '1.5b': 20 }

/** File of a judge's labels, in the folder of the experiments. */
export function labelFile(folder: string, { id }: Role, size: string): string {
  return join(folder, `labels-${id}-${size}.jsonl`)
}

/** Two rows by name: with the role, and without. */
export interface Effect {
  readonly now: string
  readonly before: string
  /** recall@5 if left out; `cited` is the share of answers that name a passage. */
  readonly measure?: string
}

/** Name of the model in every config. */
const model = 'm'
const GRAPH = { graph: ['rules', 'titles'], communities: 'leiden', reports: 'extractive' }
const HOP = { of: 'bm25', hopChunks: 3 }
const LAZY = { budget: 4, perCommunity: 2, patience: 2 }
const DRIFT = { reports: 3, followUps: 1, contextTokens: 500 }
const GLOBAL = { variant: 'graphrag', communityLevel: 0, batchTokens: 1200 }

/** A prompt of our own. */
export function promptFile(name: string): string {
  return join(import.meta.dirname, 'prompts', `${name}.md`)
}

export const MEASURE = 'recall@5'

/** File of the shipped prompt of answers, and those that are compared with it. */
const SHIPPED = join(import.meta.dirname, '../../src/models/prompts/answer.md')
const CITED = ['cited-example']

/** Cheapest first: a model is asked in this order. */
export const ROLES: readonly Role[] = [
  {
    ...{ id: 'hyde', role: 'HyDE', prompts: ['hyde'], maxTokens: 48 },
    trials: ['naive', { name: 'hyde', naive: {}, before: [{ hyde: { model } }] }],
    effect: [{ now: 'hyde', before: 'naive' }],
  },
  {
    ...{ id: 'rewrite', role: 'rewritten query', prompts: ['rewrite'], maxTokens: 40 },
    trials: ['bm25', { name: 'rewritten', bm25: {}, before: [{ rewrite: { model } }] }],
    effect: [{ now: 'rewritten', before: 'bm25' }],
  },
  {
    ...{ id: 'rewrite-example', role: 'rewritten query, other prompt', prompts: [], maxTokens: 40 },
    own: ['rewrite-example'],
    trials: [
      'bm25',
      {
        name: 'rewritten',
        bm25: {},
        before: [{ rewrite: { model, prompt: promptFile('rewrite-example') } }],
      },
    ],
    effect: [{ now: 'rewritten', before: 'bm25' }],
  },
  {
    ...{ id: 'rewrite-short', role: 'rewritten query, third prompt', prompts: [], maxTokens: 40 },
    own: ['rewrite-short'],
    trials: [
      'bm25',
      { name: 'rewritten', bm25: {}, before: [{ rewrite: { model, prompt: promptFile('rewrite-short') } }] },
    ],
    effect: [{ now: 'rewritten', before: 'bm25' }],
  },
  {
    ...{ id: 'fusion', role: 'RAG-Fusion, variations', prompts: ['fusion-queries'], maxTokens: 100 },
    trials: ['bm25', { name: 'fusion', 'rag-fusion': { of: 'bm25', model, queries: 2 } }],
    effect: [{ now: 'fusion', before: 'bm25' }],
  },
  {
    ...{ id: 'keywords', role: 'LightRAG keywords', prompts: ['light-keywords'], maxTokens: 80 },
    prepare: GRAPH,
    trials: ['lightrag', { name: 'keywords', lightrag: { model } }],
    effect: [{ now: 'keywords', before: 'lightrag' }],
  },
  {
    ...{ id: 'keywords-example', role: 'LightRAG keywords, other prompt', prompts: [], maxTokens: 80 },
    ...{ own: ['keywords-example'], prepare: GRAPH },
    trials: ['lightrag', { name: 'keywords', lightrag: { model, prompt: promptFile('keywords-example') } }],
    effect: [{ now: 'keywords', before: 'lightrag' }],
  },
  {
    ...{ id: 'keywords-short', role: 'LightRAG keywords, third prompt', prompts: [], maxTokens: 80 },
    ...{ own: ['keywords-short'], prepare: GRAPH },
    trials: ['lightrag', { name: 'keywords', lightrag: { model, prompt: promptFile('keywords-short') } }],
    effect: [{ now: 'keywords', before: 'lightrag' }],
  },
  {
    ...{ id: 'facts', role: 'HippoRAG fact filter', prompts: ['filter-facts'], maxTokens: 24 },
    prepare: GRAPH,
    trials: ['hipporag', { name: 'filtered', hipporag: { model } }],
    effect: [{ now: 'filtered', before: 'hipporag' }],
  },
  {
    ...{ id: 'hop', role: 'hop judge', prompts: ['judge-hop'], maxTokens: 200 },
    trials: [
      'bm25',
      { name: 'rules', 'multi-hop': { ...HOP, judge: 'rules' } },
      { name: 'judged', 'multi-hop': { ...HOP, judge: 'model', model } },
    ],
    effect: [{ now: 'judged', before: 'rules' }],
  },
  {
    ...{ id: 'ircot', role: 'IRCoT', prompts: ['ircot'], maxTokens: 40 },
    trials: [
      'bm25',
      { name: 'rules', 'multi-hop': { ...HOP, judge: 'rules' } },
      { name: 'ircot', 'multi-hop': { ...HOP, judge: 'ircot', model } },
    ],
    effect: [{ now: 'ircot', before: 'rules' }],
  },
  {
    ...{ id: 'plain', role: 'answer, plain prompt', prompts: [], maxTokens: 32 },
    own: ['plain'],
    trials: ['bm25'],
    answer: [{ extractive: { top: 3 } }, { llm: { model, top: 3, prompt: promptFile('plain') } }],
    effect: [{ now: 'llm', before: 'extractive', measure: 'answer_f1' }],
  },
  {
    ...{ id: 'cited', role: 'answer with citations', prompts: ['answer'], cites: true, maxTokens: 32 },
    trials: ['bm25'],
    answer: [{ extractive: { top: 3 } }, { llm: { model, top: 3 } }],
    effect: [{ now: 'llm', before: 'extractive', measure: 'answer_f1' }],
  },
  {
    ...{ id: 'cited-prompts', role: 'answer with citations, other prompt', prompts: [] },
    ...{ own: CITED, cites: true, maxTokens: 32, trials: ['bm25'] },
    answer: { llm: { model, top: 3, grid: { prompt: [SHIPPED, ...CITED.map(promptFile)] } } },
    effect: CITED.flatMap((name) =>
      ['cited', 'answer_f1', 'citation_recall'].map((measure) => ({
        ...{ now: `llm prompt=${name}.md`, before: 'llm prompt=answer.md', measure },
      })),
    ),
  },
  {
    ...{ id: 'triples', role: 'extraction, triples', prompts: ['openie-entities', 'openie-triples'] },
    goldPassages: true,
    ...{ maxTokens: 200 },
    prepare: { graph: { grid: { rules: 'rules', model: { 'llm-openie': { model } } } } },
    trials: ['hipporag', 'lightrag'],
    effect: [
      { now: 'hipporag graph=model', before: 'hipporag graph=rules' },
      { now: 'lightrag graph=model', before: 'lightrag graph=rules' },
    ],
  },
  {
    ...{ id: 'reports', role: 'community reports', prompts: ['community-report'], maxTokens: 250 },
    goldPassages: true,
    prepare: {
      ...{ graph: ['rules', 'titles'], communities: 'leiden' },
      reports: { grid: { sentences: 'extractive', model: { llm: { model, tokens: 300 } } } },
    },
    trials: ['graphrag-global'],
    effect: [{ now: 'graphrag-global reports=model', before: 'graphrag-global reports=sentences' }],
  },
  {
    ...{ id: 'lazy', role: 'LazyGraphRAG relevance', prompts: ['test-relevance'], maxTokens: 16 },
    goldPassages: true,
    prepare: GRAPH,
    trials: [
      { name: 'rule', 'lazy-graphrag': LAZY },
      { name: 'model', 'lazy-graphrag': { ...LAZY, model } },
    ],
    effect: [{ now: 'model', before: 'rule' }],
  },
  {
    ...{ id: 'drift', role: 'DRIFT', prompts: ['drift-primer', 'drift-follow-up'], maxTokens: 120 },
    goldPassages: true,
    prepare: GRAPH,
    trials: [
      { name: 'rule', drift: DRIFT },
      { name: 'model', drift: { ...DRIFT, folds: 1, rounds: 1, model } },
    ],
    effect: [{ now: 'model', before: 'rule' }],
  },
  {
    ...{ id: 'global', role: 'GraphRAG global, map', prompts: ['map-reports'], maxTokens: 200 },
    goldPassages: true,
    prepare: GRAPH,
    trials: [
      { name: 'rule', 'graphrag-global': GLOBAL },
      { name: 'model', 'graphrag-global': { ...GLOBAL, model } },
    ],
    effect: [{ now: 'model', before: 'rule' }],
  },
  {
    ...{ id: 'header', role: 'contextual headers', prompts: ['chunk-header'], maxTokens: 48 },
    goldPassages: true,
    prepare: {
      chunk: { sentences: { each: 1 } },
      context: { grid: { none: 'none', title: 'title', header: { llm: { model, documentTokens: 400 } } } },
    },
    trials: ['bm25'],
    effect: [{ now: 'bm25 context=header', before: 'bm25 context=title' }],
  },
  {
    ...{ id: 'tree', role: 'tree summaries', prompts: ['summarize-cluster'], maxTokens: 80 },
    goldPassages: true,
    prepare: {
      tree: {
        grid: { sentences: { extractive: { size: 6 } }, model: { llm: { model, size: 6, words: 40 } } },
      },
    },
    trials: ['raptor'],
    effect: [{ now: 'raptor tree=model', before: 'raptor tree=sentences' }],
  },
  {
    ...{ id: 'tuples', role: 'extraction, tuples', prompts: ['graphrag-extract'], maxTokens: 250 },
    goldPassages: true,
    prepare: { graph: { grid: { rules: 'rules', model: { 'llm-graphrag': { model, gleanings: 0 } } } } },
    trials: ['lightrag', 'hipporag'],
    effect: [
      { now: 'lightrag graph=model', before: 'lightrag graph=rules' },
      { now: 'hipporag graph=model', before: 'hipporag graph=rules' },
    ],
  },
  {
    ...{ id: 'map', role: 'answer by map and reduce', prompts: ['answer-map', 'answer-reduce'] },
    ...{ maxTokens: 100, trials: ['bm25'] },
    answer: [{ extractive: { top: 3 } }, { 'map-reduce': { model, top: 3 } }],
    effect: [{ now: 'map-reduce', before: 'extractive', measure: 'answer_f1' }],
  },
  judgeRole('correctness', ['judge-correctness'], { labels: 'answers' }),
  judgeRole('preference', ['judge-preference'], { labels: 'pairs' }),
  judgeRole('rubric', ['judge-rubric'], {
    labels: 'relevance',
    params: { criterion: 'The answer speaks of what the question asks for.' },
  }),
  judgeRole('nugget_recall', ['judge-nuggets', 'judge-nugget-support'], { labels: 'answers' }),
  judgeRole('context_recall', ['judge-recall'], { labels: 'passages' }),
  judgeRole('faithfulness', ['judge-statements', 'judge-faithfulness'], { labels: 'answers' }),
  judgeRole('answer_relevancy', ['judge-question'], {
    labels: 'relevance',
    params: { questions: 1 },
  }),
]

/** A judge, asked about labelled answers. */
function judgeRole(id: string, prompts: readonly PromptName[], judge: NonNullable<Role['judge']>): Role {
  return {
    ...{ id, role: `judge: ${id}`, prompts, maxTokens: 120 },
    ...{ trials: ['bm25'], answer: { extractive: { top: 1 } }, judge, effect: [] },
  }
}
