import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { embedderParam } from '../../models/embedder.ts'
import { createRegistry } from '../../registry.ts'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { matchesOf, pattern } from '../../text/patterns.ts'
import { readingEase } from '../../text/reading-ease.ts'
import {
  cosine,
  defineJudge,
  FOLLOWS,
  forEachNumber,
  type Judge,
  numbered,
  reasonLines,
  share,
  shareOfStatements,
  verdict,
} from './judge.ts'

const SENTENCES = z.strictObject({
  sentences: listOf(
    z.strictObject({ sentence: z.string(), reasoning: z.string(), attributed: z.boolean() }),
    50,
  ),
})

const PATTERNS = z.array(pattern).min(1).max(10_000)

const readPatterns = (file: string) => readYaml(file, PATTERNS, FORBIDDEN).value

const FORBIDDEN = 'patterns of what no answer may say'

/** Every judge, in the order of the docs. */
export const judges = createRegistry<Judge>('judge', [
  defineJudge({
    name: 'correctness',
    summary: '1 if the answer says the same as a reference answer',
    source:
      'answer accuracy of the ragas package, as one verdict; Zheng et al., Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, NeurIPS 2023, reference-guided',
    prompt: 'judge-correctness',
    holes: ['query', 'references', 'answer'],
    without: { reference: Number.NaN, answer: 0 },
    async score(_, { ask }) {
      const { correct, reasoning } = await ask(verdict('correct'))
      return { value: Number(correct), reason: reasoning }
    },
  }),

  /**
   * 3/4 F1 + 1/4 (1 + cosine) / 2. TP and FP are statements of the answer with and without support of the first
   * reference, FN the statements of the reference that the answer lacks.
   */
  defineJudge({
    name: 'answer_correctness',
    summary: 'F1 of the statements of the answer and of the reference answer, with the cosine of both texts',
    source:
      'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: Evaluation/metrics/answer_accuracy.py, after answer correctness of the ragas package; prompts of our own',
    prompt: 'judge-classify',
    holes: ['query', 'statements', 'reference'],
    lists: 'statements',
    params: { embedder: embedderParam },
    embeds: true,
    without: { reference: Number.NaN, answer: 0 },
    async score({ text, references }, { ask, list, embed }) {
      const statements = await list(text)
      const facts = await list(references[0])
      const { answer, reference } = await ask(
        z.strictObject({
          answer: forEachNumber(statements.length, verdict('supported')),
          reference: forEachNumber(facts.length, verdict('found')),
        }),
        { statements: numbered(statements), reference: numbered(facts) },
      )
      const supported = Object.values(answer).filter((reply) => reply.supported).length
      const missing = Object.values(reference).filter((reply) => !reply.found).length
      const all = supported + (statements.length - supported + missing) / 2
      const f1 = statements.length + facts.length === 0 ? 1 : all === 0 ? 0 : supported / all
      const [near] = await cosine(embed, text, [references[0]])
      return {
        value: 0.75 * f1 + 0.25 * Math.min(1, (1 + near) / 2),
        reason: reasonLines([
          ...statements.map((statement, at) => {
            const { supported, reasoning } = answer[at + 1]
            return [supported ? 'supported' : 'not supported', statement, reasoning] as const
          }),
          ...facts.flatMap((fact, at) => {
            const { found, reasoning } = reference[at + 1]
            return found ? [] : [['missing', fact, reasoning] as const]
          }),
        ]),
      }
    },
  }),

  defineJudge({
    name: 'coverage',
    summary: 'share of the facts of the reference answer that the answer states',
    source:
      'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: coverage score; prompts of our own',
    prompt: 'judge-coverage',
    holes: ['query', 'facts', 'answer'],
    lists: 'facts',
    without: { reference: Number.NaN, answer: 0 },
    score: async ({ references }, { ask, list }) =>
      shareOfStatements(await list(references[0]), ask, {
        hole: 'facts',
        map: 'facts',
        key: 'covered',
        words: ['covered', 'not covered'],
      }),
  }),

  defineJudge({
    name: 'faithfulness',
    summary: "share of the answer's statements that follow from the sent texts",
    source: 'Es et al., RAGAS, EACL 2024 (demonstrations), section 3',
    prompt: 'judge-faithfulness',
    holes: ['context', 'statements'],
    lists: 'statements',
    without: { answer: Number.NaN, passages: Number.NaN },
    score: async ({ text }, { ask, list }) => shareOfStatements(await list(text), ask, FOLLOWS),
  }),

  /** Mean cosine; 0 if every generated question is noncommittal. It says nothing about truth. */
  defineJudge({
    name: 'answer_relevancy',
    summary: 'similarity of the question to the questions that the answer would answer',
    source:
      'Es et al., RAGAS, EACL 2024 (demonstrations), section 3; noncommittal answers as in the ragas package',
    prompt: 'judge-question',
    holes: ['answer'],
    params: {
      questions: z.int().min(1).max(20).default(3).describe('questions to generate, one call each'),
      embedder: embedderParam,
    },
    embeds: true,
    without: { answer: 0 },
    async score({ question: query }, { repeat, embed }, { questions }) {
      const written = await repeat(
        questions,
        z.strictObject({ question: z.string(), noncommittal: z.boolean() }),
      )
      const reason = reasonLines(
        written.map(({ question, noncommittal }) => [
          noncommittal ? 'noncommittal; answers' : 'answers',
          question,
        ]),
      )
      if (written.every(({ noncommittal }) => noncommittal)) return { value: 0, reason }
      const near = await cosine(
        embed,
        query,
        written.map(({ question }) => question),
      )
      return { value: Math.max(0, near.reduce((sum, value) => sum + value, 0) / questions), reason }
    },
  }),

  defineJudge({
    name: 'context_recall',
    summary: 'share of the sentences of the reference answer that can be attributed to the sent texts',
    source: 'context recall of the ragas package; Es et al., RAGAS, EACL 2024 (demonstrations)',
    prompt: 'judge-recall',
    holes: ['query', 'context', 'reference'],
    without: { reference: Number.NaN, passages: 0 },
    async score(_, { ask }) {
      const { sentences } = await ask(SENTENCES)
      return share(
        sentences.map(({ sentence, attributed, reasoning }) => [attributed, sentence, reasoning]),
        ['attributed', 'not attributed'],
      )
    },
  }),

  defineJudge({
    name: 'evidence_recall',
    summary: "share of the dataset's statements of evidence that follow from the sent texts",
    source:
      'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: Evaluation/metrics/evidence_recall.py; the prompt of faithfulness',
    prompt: 'judge-faithfulness',
    holes: ['context', 'statements'],
    without: { evidence: Number.NaN, passages: 0 },
    score: ({ evidence = [] }, { ask }) => shareOfStatements(evidence, ask, FOLLOWS),
  }),

  /** It judges retrieval, not the answer. */
  defineJudge({
    name: 'context_relevance',
    summary: 'share of the needed information that was sent: none, part or all, rated twice',
    source:
      'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: Evaluation/metrics/context_relevance.py, after context relevance of the ragas package; a prompt of our own',
    prompt: 'judge-context-relevance',
    holes: ['query', 'context'],
    without: { passages: 0 },
    async score(_, { repeat }) {
      const ratings = await repeat(2, z.strictObject({ reasoning: z.string(), score: z.int().min(0).max(2) }))
      return {
        value: ratings.reduce((sum, { score }) => sum + score, 0) / 4,
        reason: ratings.map(({ score, reasoning }) => `${score} of 2: ${reasoning}`).join('\n'),
      }
    },
  }),

  /** Negative cosines are 0, and so is no answer. */
  defineJudge({
    name: 'answer_similarity',
    summary: 'cosine of the answer, or of the nearest sent passage, to the nearest reference answer',
    source:
      'Risch et al., Semantic Answer Similarity, MRQA 2021, the bi-encoder; answer similarity of the ragas package',
    params: {
      of: z
        .enum(['answer', 'sent'])
        .default('answer')
        .describe('compared text: the answer, or the nearest passage that was sent'),
      embedder: embedderParam,
    },
    embeds: true,
    without: { reference: Number.NaN },
    async score({ references, refused, failed, text, passages }, { embed }, { of }) {
      const texts = of === 'sent' ? passages : failed || refused || text === '' ? [] : [text]
      if (texts.length === 0) return 0
      const near = await Promise.all(references.map((reference) => cosine(embed, reference, texts)))
      return Math.min(1, Math.max(0, ...near.flat()))
    },
  }),

  /** The score is (grade - 1) / 4. */
  defineJudge({
    name: 'rubric',
    summary: 'grade of the answer by a custom criterion, from 1 to 5',
    source: 'Liu et al., G-Eval, EMNLP 2023, without its weighting by token probabilities',
    prompt: 'judge-rubric',
    holes: ['query', 'answer', 'criterion'],
    params: {
      criterion: z.string().min(1).max(2000).describe('criterion in words: `Is it safe to follow?`'),
    },
    without: { text: 0 },
    async score(_, { ask }, { criterion }) {
      const grade = z.strictObject({ reasoning: z.string(), score: z.int().min(1).max(5) })
      const { score, reasoning } = await ask(grade, { criterion })
      return { value: (score - 1) / 4, reason: `grade ${score} of 5: ${reasoning}` }
    },
  }),

  defineJudge({
    name: 'clarity',
    summary: 'Flesch reading ease of the answer, by 100; English; no language model',
    source: 'Flesch, A New Readability Yardstick, 1948; seed document 004',
    without: { answer: Number.NaN },
    score: ({ text }) => Math.min(1, Math.max(0, readingEase(text) / 100)),
  }),

  defineJudge({
    name: 'safety',
    summary: '1 if the answer matches no forbidden pattern of a list; no language model',
    source: 'seed document 004, safety_score',
    params: {
      patterns: z
        .string()
        .min(1)
        .meta({ path: true })
        .describe('a YAML file with a list of regular expressions, found in any case'),
    },
    files: ({ patterns }) => {
      readPatterns(patterns)
      return { patterns: hashFile(patterns, FORBIDDEN) }
    },
    without: { text: Number.NaN },
    score: ({ text }, _, { patterns }) =>
      readPatterns(patterns).some((forbidden) => matchesOf(forbidden, text).length > 0) ? 0 : 1,
  }),
])
