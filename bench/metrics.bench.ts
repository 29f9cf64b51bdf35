import type { GradedRanking } from '../src/metrics/define.ts'
import { createScorer } from '../src/metrics/evaluate.ts'
import { parseMeasure } from '../src/metrics/parse.ts'
import { goldByQuery, scoreRankings } from '../src/metrics/score-run.ts'
import { createRandom } from '../src/random.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, timed } from './synthetic.ts'

const QUERIES = 1000
const DEPTH = 100
const MEASURES = 'map mrr ndcg@10 ndcg@100 recall@10 recall@100 precision@10 hit@10 rprec bpref'.split(' ')

/** Scoring one run of 1,000 queries x 100 with 10 measures, milliseconds. Peers: pytrec_eval and ranx. */
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
    const ours = timed(9, () => scoreRankings({ gold, run: columns, measures }))
    const peers = askPeer<Record<string, number>>('metrics', {
      'qrels.json': toJson(qrels),
      'run.json': toJson(run),
    })
    return [
      ...Object.entries(peers ?? { '': null }).map(([peer, theirs]) =>
        benchRow('a run of ids', ours, peer, theirs),
      ),
      benchRow(
        'gold ranks alone, as a grid',
        timed(9, () => {
          for (const [query, one] of judged.entries()) scorer.score(one, out, query * measures.length)
        }),
      ),
    ]
  },
}

/** 1,000 queries, 100 entries each with scores to three decimals (so some tie), 10 judged ids of grades 0 to 2. */
function syntheticRun() {
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
function toJson(scores: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  return JSON.stringify(
    Object.fromEntries([...scores].map(([query, pairs]) => [query, Object.fromEntries(pairs)])),
  )
}
