import { ofAny } from '../dataset/sink.ts'
import { csvTable } from '../text/csv.ts'
import { recognise } from '../text/recognise.ts'
import type { Script } from '../text/scripts.ts'
import { createAnalyzer } from '../text/tokenize.ts'
import type { PooledPassage, PooledQuery } from './pool.ts'

/** A pooled question with its relevant labels: of each, the ids of the passages that hold it. */
interface AuditedQuestion extends PooledQuery {
  readonly answers: readonly string[]
  readonly gold: readonly ReadonlySet<string>[]
}

export interface Suspect {
  readonly query: string
  readonly question: string
  /** Mean of -ln(1 - percentile) of the four signals. */
  readonly score: number
  /** Best passage of the label that has the fewest words of question and answers. */
  readonly gold: PooledPassage
  /** The other pooled passage that has most of them; null without one. */
  readonly other: PooledPassage | null
  readonly reasons: readonly string[]
}

/** Ranks that a pool of an audit holds; below them, a passage counts as at twice this rank. */
const POOLED = 20

/**
 * Ranks questions by how suspicious their gold is. Four signals of a question's worst label, which is as good as its best passage;
 * coverage is the share of the idf of the words of question and answers that a passage has:
 *
 *     elsewhere  highest coverage of another pooled passage - coverage of the gold
 *     apart      1 - coverage of the gold
 *     agreed     highest mean over trials of 1 / rank of another passage
 *     unranked   best rank of the gold over trials
 *
 * Each signal becomes a percentile over questions. The score is the mean of -ln(1 - percentile), as in Fisher's method, so one strong
 * signal counts more than several weak ones.
 */
export function auditGold(questions: readonly AuditedQuestion[]): Suspect[] {
  const audited = questions.filter(({ gold }) => gold.length > 0)
  const coverageOf = coverages(audited)
  const signals = audited.map((question) => signalsOf(question, coverageOf(question)))
  const scores = signals.map(() => 0)
  for (const signal of ['elsewhere', 'apart', 'agreed', 'unranked'] as const)
    for (const [row, percentile] of percentiles(signals.map((each) => each[signal])).entries())
      scores[row] -= Math.log(1 - percentile) / 4
  return signals
    .map(({ suspect }, row) => ({ ...suspect, score: scores[row] }))
    .sort((a, b) => b.score - a.score)
}

export function suspectsCsv(suspects: readonly Suspect[]): string {
  return csvTable(
    ['query', 'question', 'score', 'gold', 'gold_text', 'other', 'other_text', 'reasons'],
    suspects.map(({ query, question, score, gold, other, reasons }) => [
      query,
      question,
      Number(score.toFixed(4)),
      gold.chunk,
      gold.text,
      other?.chunk ?? '',
      other?.text ?? '',
      reasons.join('; '),
    ]),
  )
}

type Coverage = (passage: PooledPassage) => number

/** Coverage of a question's words by a passage, with idf over all pooled passages. */
function coverages(questions: readonly AuditedQuestion[]): (question: AuditedQuestion) => Coverage {
  const texts = new Map<string, string>()
  for (const { passages } of questions)
    for (const { id, title, text } of passages) texts.set(id, `${title}\n${text}`)
  const { scripts, languages } = recognise([...texts.values()])
  const analyze = createAnalyzer({
    tokenizer: { name: 'auto' },
    scripts: Object.keys(scripts) as Script[],
    languages: { Latin: 'english', ...languages },
  })
  const terms = new Map([...texts].map(([id, text]) => [id, new Set(analyze(text))]))
  const frequency = new Map<string, number>()
  for (const words of terms.values())
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const idf = (word: string) => {
    const texts = frequency.get(word) ?? 0
    return Math.log(1 + (terms.size - texts + 0.5) / (texts + 0.5))
  }
  return ({ text, answers }) => {
    const words = [...new Set([text, ...answers].flatMap(analyze))]
    const whole = words.reduce((sum, word) => sum + idf(word), 0)
    return ({ id }) =>
      words.reduce((sum, word) => (terms.get(id)?.has(word) ? sum + idf(word) : sum), 0) / (whole || 1)
  }
}

function signalsOf({ id, text, answers, passages, gold }: AuditedQuestion, coverage: Coverage) {
  const labels = gold.map((label) => passages.filter(({ id }) => label.has(id)))
  const labelled = labels.flat()
  const others = passages.filter((passage) => !labelled.includes(passage))
  const better = (a: PooledPassage, b: PooledPassage) => (coverage(b) > coverage(a) ? b : a)
  const worst = labels
    .map((label) => label.reduce(better))
    .reduce((a, b) => (coverage(b) < coverage(a) ? b : a))
  const best = others.length > 0 ? others.reduce(better) : null
  const bestRank = ({ ranks }: PooledPassage) => Math.min(...ranks.map((rank) => rank || 2 * POOLED))
  const reciprocal = ({ ranks }: PooledPassage) =>
    ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length
  const unranked = Math.max(...labels.map((label) => Math.min(...label.map(bestRank))))
  const [inGold, inOther] = [coverage(worst), best ? coverage(best) : 0]
  const firsts = Math.max(0, ...others.map(({ ranks }) => ranks.filter((rank) => rank === 1).length))
  const copies = others.filter((other) => labelled.some((passage) => passage.text === other.text)).length
  const holds = (passage: PooledPassage) =>
    answers.some((answer) => passage.text.toLowerCase().includes(answer.toLowerCase()))
  const trials = worst.ranks.length
  const reasons = ofAny(
    [
      Number(inOther > inGold),
      `another passage has ${percent(inOther)} of the words of question and answers, the gold ${percent(inGold)}`,
    ],
    [firsts - 1, `${firsts} of ${trials} trials rank the same other passage first`],
    [unranked - 10, `a label is in no trial's first ${Math.min(POOLED, unranked - 1)}`],
    [
      Number(others.some(holds) && !labelled.some(holds)),
      'another passage has the answer, no gold passage has it',
    ],
    [copies, `${copies} of the other passages have the text of a gold passage`],
  )
  const suspect = { query: id, question: text, gold: worst, other: best, reasons }
  const agreed = Math.max(0, ...others.map(reciprocal))
  return { suspect, elsewhere: inOther - inGold, apart: 1 - inGold, agreed, unranked }
}

const percent = (share: number) => `${Math.round(100 * share)} %`

/** Percentiles of values, (mean rank - 1/2) / n; equal values have equal ones. */
function percentiles(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  for (const [at, value] of sorted.entries()) {
    if (!first.has(value)) first.set(value, at)
    last.set(value, at)
  }
  return values.map(
    (value) => ((first.get(value) as number) + (last.get(value) as number) + 1) / 2 / values.length,
  )
}
