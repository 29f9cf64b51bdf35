import { entityKey } from '../../text/entity-key.ts'
import { sentences } from '../../text/sentences.ts'
import type { Chunk } from '../../types.ts'
import type { Graph } from '../graph.ts'
import { buildIncidence, type Incidence, membersOf, transpose } from '../incidence.ts'

/** The corpus's sentences that name an entity, in chunk order. */
export interface NamingSentences {
  readonly texts: readonly string[]
  /** Sentence -> the entities that it names. */
  readonly entities: Incidence
  /** Entity -> the sentences that name it. */
  readonly ofEntity: Incidence
}

/** A sentence names an entity of its chunk where it holds the entity's key as whole words. */
export function namingSentences(chunks: readonly Chunk[], graph: Graph): NamingSentences {
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
      keys.forEach((key, place) => {
        if (!words.includes(key)) return
        named = true
        rows.push(texts.length)
        members.push(inside[place])
      })
      if (named) texts.push(sentence.replace(/\s+/gu, ' '))
    }
  })
  const entities = buildIncidence(texts.length, { rows, members }, graph.entities.size)
  return { texts, entities, ofEntity: transpose(entities, graph.entities.size) }
}
