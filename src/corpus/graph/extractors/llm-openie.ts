import { z } from 'zod'
import { listOf, schemaHash } from '../../../models/chat/json.ts'
import { sha256 } from '../../../store/hash.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import { askChunks, modelParam, promptOf, promptParam } from '../ask-chunks.ts'
import { defineExtractor, type Link, type Mention } from './define.ts'
import { addTriple, isTriple } from './openie.ts'

/** Names, and triples, of one chunk at most. */
const MOST = 50

const NAMES = z.object({ named_entities: listOf(z.string(), MOST) })
/** The schema for servers demands triples of three parts; a triple of another length does not invalidate the others. */
const TRIPLES = z.object({ triples: listOf(z.array(z.string()).meta({ minItems: 3, maxItems: 3 }), MOST) })

/**
 * HippoRAG's extraction: a language model names the entities of a chunk, then writes triples about these entities, both as
 * JSON. Triples that are not three texts are counted and left out.
 * Gutiérrez et al., HippoRAG: Neurobiologically Inspired Long-Term Memory for Large Language Models (NeurIPS 2024).
 */
export const llmOpenie = defineExtractor({
  name: 'llm-openie',
  version: 1,
  summary: 'named entities, then triples with them, by a language model (HippoRAG)',
  asks: true,
  params: z.strictObject({
    model: modelParam,
    entitiesPrompt: promptParam('for the entities', '`{{text}}` stands for the chunk'),
    prompt: promptParam(
      'for the triples',
      '`{{text}}` stands for the chunk, `{{entities}}` for its entities',
    ),
  }),
  files: (params) => {
    const { names, triples } = templatesOf(params)
    return { entitiesPrompt: sha256(names), prompt: sha256(triples), schemas: schemaHash(NAMES, TRIPLES) }
  },
  async extract(input, params) {
    const templates = templatesOf(params)
    const { found, unread } = await askChunks(input, async (chat, text) => {
      const { named_entities: names } = await chat.json(
        { template: templates.names, values: { text } },
        NAMES,
      )
      const values = { text, entities: withoutMarks(JSON.stringify(names)) }
      const { triples } = await chat.json({ template: templates.triples, values }, TRIPLES)
      return { names: [...new Set(names)], triples: distinct(triples) }
    })
    const mentions: Mention[] = []
    const links: Link[] = []
    let malformedTriples = 0
    found.forEach((extracted, chunk) => {
      if (!extracted) return
      for (const name of extracted.names) mentions.push({ name, chunk, count: 1 })
      for (const triple of extracted.triples)
        if (isTriple(triple)) addTriple(triple, chunk, { mentions, links })
        else malformedTriples++
    })
    return {
      mentions,
      links,
      unread,
      describe: { separator: '. ', tokens: 100 },
      notices: { malformedTriples, unreadChunks: unread.length },
    }
  },
})

function templatesOf({ entitiesPrompt, prompt }: { entitiesPrompt?: string; prompt?: string }) {
  return {
    names: promptOf(entitiesPrompt, 'openie-entities', ['text']),
    triples: promptOf(prompt, 'openie-triples', ['text', 'entities']),
  }
}

/** Removes repetitions, which are common with small models. */
function distinct(triples: readonly string[][]): string[][] {
  return [...new Map(triples.map((triple) => [JSON.stringify(triple), triple])).values()]
}
