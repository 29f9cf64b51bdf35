import { z } from 'zod'
import { listOf, schemaHash } from '../../../models/chat/json.ts'
import { promptParams, promptText, stepPromptParams } from '../../../models/prompts/prompt.ts'
import { sha256 } from '../../../store/hash.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import { addTriple, chunkText, defineExtractor, type Link, type Mention } from './index.ts'

const MOST = 50

const NAMES = z.object({ named_entities: listOf(z.string(), MOST) })
/** Servers are asked for triples of three parts; a triple of another length does not invalidate the others. */
const TRIPLES = z.object({ triples: listOf(z.array(z.string()).meta({ minItems: 3, maxItems: 3 }), MOST) })

/** HippoRAG's extraction (Gutiérrez et al., NeurIPS 2024). */
export default defineExtractor({
  name: 'llm-openie',
  version: 1,
  summary: 'named entities, then triples with them, by a language model (HippoRAG)',
  params: z.strictObject({
    ...promptParams(['text', 'entities']),
    ...stepPromptParams('entities', ['text']),
  }),
  files: (params) => {
    const { names, triples } = templatesOf(params)
    return { entitiesPrompt: sha256(names), prompt: sha256(triples), schemas: schemaHash(NAMES, TRIPLES) }
  },
  make: (params) => ({
    async extract({ chunks }, askEach) {
      const templates = templatesOf(params)
      const extractions = await askEach(chunks, async (chat, chunk) => {
        const text = chunkText(chunk)
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
      let [malformedTriples, unreadChunks] = [0, 0]
      extractions.forEach((extracted, chunk) => {
        if (!extracted) {
          unreadChunks++
          return
        }
        for (const name of extracted.names) mentions.push({ name, chunk, count: 1 })
        for (const triple of extracted.triples)
          if (triple.length === 3) addTriple(triple, chunk, { mentions, links })
          else malformedTriples++
      })
      return {
        mentions,
        links,
        describe: { separator: '. ', tokens: 100 },
        notices: { malformedTriples, unreadChunks },
      }
    },
  }),
})

function templatesOf({ entitiesPrompt, prompt }: { entitiesPrompt?: string; prompt?: string }) {
  return {
    names: promptText(entitiesPrompt, 'openie-entities', ['text']),
    triples: promptText(prompt, 'openie-triples', ['text', 'entities']),
  }
}

function distinct(triples: readonly string[][]): string[][] {
  return [...new Map(triples.map((triple) => [JSON.stringify(triple), triple])).values()]
}
