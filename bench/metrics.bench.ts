import type { GradedRanking } from '../src/metrics/define.ts'
import { createScorer } from '../src/metrics/evaluate.ts'
import { parseMeasure } from '../src/metrics/parse.ts'
import { goldByQuery, scoreRankings } from '../src/metrics/score-run.ts'
import { createRandom } from '../src/random.ts'
import { compareIds } from '../src/text/order.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, timed } from './synthetic.ts'

export const QUERIES = 1000
export const DEPTH = 100
export const MEASURES = [
  'map',
  'mrr',
  'ndcg@10',
  'ndcg@100',
  'recall@10',
  'recall@100',
  'precision@10',
  'hit@10',
  'rprec',
  'bpref',
]

/**
 * Scoring one run of 1,000 queries x 100 with 10 measures, milliseconds. Baseline: pytrec_eval and ranx where Python has them
 * (peers/scoring.py), else sorted lists of objects, one pass per measure.
 */
export default {
  name: 'metrics',
  async run(): Promise<BenchRow[]> {
    const { qrels, run } = syntheticRun()
    const measures = MEASURES.map((name) => parseMeasure(name))
    const gold = goldByQuery(qrels)
    const columns = new Map(
      [...run].map(([query, pairs]) => [
        query,
        { ids: [...pairs.keys()], scores: Float64Array.from(pairs.values()) },
      ]),
    )
    const scorer = createScorer(measures)
    const judged = [...gold.values()].map(({ grades }, query): GradedRanking => {
      const { below } = createRandom(query)
      return { grades, ranks: Int32Array.from(grades, () => below(DEPTH + 1)), retrieved: DEPTH }
    })
    const out = new Float64Array(QUERIES * measures.length)
    const peers = askPeer<Record<string, { readonly median_ms: number }>>('scoring.py', {
      'qrels.json': toJson(qrels),
      'run.json': toJson(run),
    })
    const plain = timed(5, () => plainScores(qrels, run))
    const ours = timed(9, () => scoreRankings({ gold, run: columns, measures }))
    const others = Object.entries(peers ?? { 'lists of objects': { median_ms: plain } })
    return [
      ...others.map(([peer, { median_ms }]) => benchRow('a run of ids', ours, peer, median_ms)),
      benchRow(
        'gold ranks alone, as a grid',
        timed(9, () => {
          for (const [query, one] of judged.entries()) scorer.score(one, out, query * measures.length)
        }),
        'lists of objects',
        plain,
      ),
    ]
  },
}

/** 1,000 queries, 100 entries each with scores to three decimals (so some tie), 10 judged ids of grades 0 to 2. */
export function syntheticRun() {
  const { below } = createRandom(6)
  const qrels = new Map<string, Map<string, number>>()
  const run = new Map<string, Map<string, number>>()
  for (let query = 0; query < QUERIES; query++) {
    const ids = Array.from({ length: DEPTH }, (_, place) => `d${query * 7 + place * 13}`)
    run.set(`q${query}`, new Map(ids.map((id) => [id, below(1000) / 1000])))
    const judged = Array.from({ length: 10 }, (_, place) => (place < 7 ? ids[below(DEPTH)] : `x${place}`))
    qrels.set(`q${query}`, new Map(judged.map((id) => [id, below(3)])))
  }
  return { qrels, run }
}

/** Scores by query and id, as Python reads them. */
export function toJson(scores: Scores): string {
  return JSON.stringify(
    Object.fromEntries([...scores].map(([query, pairs]) => [query, Object.fromEntries(pairs)])),
  )
}

type Scores = ReadonlyMap<string, ReadonlyMap<string, number>>

function plainScores(qrels: Scores, run: Scores): number[] {
  const sums = new Array(MEASURES.length).fill(0)
  for (const [query, judged] of qrels) {
    const list = [...(run.get(query) ?? [])].map(([id, score]) => ({
      id,
      score,
      grade: judged.get(id) ?? -1,
    }))
    list.sort((a, b) => b.score - a.score || compareIds(b.id, a.id))
    const relevant = [...judged.values()].filter((grade) => grade > 0)
    const total = relevant.length
    const hits = (k: number) => list.slice(0, k).filter(({ grade }) => grade > 0).length
    const dcg = (gains: number[]) => gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
    const ndcg = (k: number) =>
      dcg(list.slice(0, k).map(({ grade }) => Math.max(0, grade))) /
      (dcg([...relevant].sort((a, b) => b - a).slice(0, k)) || 1)
    const nonrelevant = judged.size - total
    const values = [
      list.reduce((sum, { grade }, place) => (grade > 0 ? sum + hits(place + 1) / (place + 1) : sum), 0) /
        (total || 1),
      1 / (list.findIndex(({ grade }) => grade > 0) + 1 || Number.POSITIVE_INFINITY),
      ndcg(10),
      ndcg(100),
      hits(10) / (total || 1),
      hits(100) / (total || 1),
      hits(10) / 10,
      hits(10) > 0 ? 1 : 0,
      hits(total) / (total || 1),
      list.reduce((sum, { grade }, place) => {
        const above = list.slice(0, place).filter((one) => one.grade === 0).length
        return grade > 0
          ? sum + 1 - (above > 0 ? Math.min(above, total) / Math.min(nonrelevant, total) : 0)
          : sum
      }, 0) / (total || 1),
    ]
    values.forEach((value, place) => {
      sums[place] += value
    })
  }
  return sums.map((sum) => sum / qrels.size)
}
