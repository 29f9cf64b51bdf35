import { z } from 'zod'
import { entityKey } from '../../../text/entity-key.ts'
import { sentences } from '../../../text/sentences.ts'
import type { Chunk } from '../../../types.ts'
import { buildIncidence, type Incidence, membersOf, transpose } from '../csr.ts'
import type { Communities, Graph } from '../graph.ts'
import { type CommunityReport, defineReportWriter, type Finding } from './index.ts'

const TITLE_ENTITIES = 3
const SUMMARY_SENTENCES = 2
const FINDINGS = 5
/** Characters of the longest finding: tables without full stops are none. */
const LONGEST = 1000

/**
 * Reports without a model. Title: the 3 most central entities. Findings: the most central sentences, or the entities'
 * descriptions if no sentence names one. Summary: the first two findings.
 *
 *     centrality(entity)   weight of its relationships inside the community
 *     centrality(sentence) sum over the community's entities that it names
 *     rank                 10 ln(1 + weight inside) / ln(1 + the heaviest community's)
 */
export default defineReportWriter({
  name: 'extractive',
  version: 1,
  summary: "the community's most central entities and sentences; no model",
  params: z.strictObject({}),
  make: () => ({
    write({ graph, communities, chunks }) {
      const sentences = namingSentences(chunks, graph)
      const inside = new Float64Array(graph.entities.size)
      const sums = new Float64Array(sentences.texts.length)
      const weights = new Float64Array(communities.size)
      const reports: CommunityReport[] = []
      for (let community = 0; community < communities.size; community++) {
        const members = membersOf(communities.entities, community)
        weights[community] = measure(graph, communities, community, inside)
        const top = bestFirst(members, inside, TITLE_ENTITIES)
        const quoted = centralSentences(members, inside, sentences, sums)
        const findings = quoted.map((sentence): Finding => {
          const named = membersOf(sentences.entities, sentence)
          return {
            summary: graph.entities.names[bestFirst(named, inside, 1)[0]],
            explanation: sentences.texts[sentence],
          }
        })
        if (findings.length === 0) findings.push(...described(graph, top))
        const title = top.map((entity) => graph.entities.names[entity]).join(', ')
        const summary = findings
          .slice(0, SUMMARY_SENTENCES)
          .map(({ explanation }) => explanation)
          .join(' ')
        reports.push({ community, title, summary: summary || title, findings, rank: 0 })
        for (const entity of members) inside[entity] = 0
      }
      const heaviest = weights.reduce((max, weight) => Math.max(max, weight), 0)
      return {
        reports: reports.map((report) => ({
          ...report,
          rank: heaviest > 0 ? (10 * Math.log1p(weights[report.community])) / Math.log1p(heaviest) : 0,
        })),
      }
    },
  }),
})

function measure(graph: Graph, communities: Communities, community: number, inside: Float64Array): number {
  const { sources, targets, weights } = graph.relationships
  let total = 0
  for (const relationship of membersOf(communities.relationships, community)) {
    inside[sources[relationship]] += weights[relationship]
    inside[targets[relationship]] += weights[relationship]
    total += weights[relationship]
  }
  return total
}

function centralSentences(
  members: Uint32Array,
  inside: Float64Array,
  { texts, ofEntity }: NamingSentences,
  sums: Float64Array,
): number[] {
  const touched: number[] = []
  for (const entity of members) {
    if (inside[entity] === 0) continue
    for (const sentence of membersOf(ofEntity, entity)) {
      if (texts[sentence].length > LONGEST) continue
      if (sums[sentence] === 0) touched.push(sentence)
      sums[sentence] += inside[entity]
    }
  }
  const best = bestFirst(touched, sums, FINDINGS)
  for (const sentence of touched) sums[sentence] = 0
  return best
}

/** The `count` rows with the highest values; ties by row ascending. */
function bestFirst(rows: ArrayLike<number>, values: Float64Array, count: number): number[] {
  return Array.from(rows)
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, count)
}

function described({ entities }: Graph, top: readonly number[]): Finding[] {
  return top
    .filter((entity) => entities.descriptions[entity] !== '')
    .map((entity) => ({ summary: entities.names[entity], explanation: entities.descriptions[entity] }))
}

interface NamingSentences {
  readonly texts: readonly string[]
  readonly entities: Incidence
  readonly ofEntity: Incidence
}

/** Sentences that contain the key of an entity of their chunk as whole words. */
function namingSentences(chunks: readonly Chunk[], graph: Graph): NamingSentences {
  const texts: string[] = []
  const rows: number[] = []
  const members: number[] = []
  chunks.forEach(({ text }, chunk) => {
    const inside = membersOf(graph.entitiesOfChunk, chunk)
    if (inside.length === 0) return
    const keys = Array.from(inside, (entity) => ` ${graph.entities.keys[entity]} `)
    for (const { start, end } of sentences(text)) {
      const sentence = text.slice(start, end)
      const words = ` ${entityKey(sentence)} `
      let named = false
      keys.forEach((key, i) => {
        if (!words.includes(key)) return
        named = true
        rows.push(texts.length)
        members.push(inside[i])
      })
      if (named) texts.push(sentence.replace(/\s+/gu, ' '))
    }
  })
  const entities = buildIncidence(texts.length, { rows, members }, graph.entities.size)
  return { texts, entities, ofEntity: transpose(entities, graph.entities.size) }
}
