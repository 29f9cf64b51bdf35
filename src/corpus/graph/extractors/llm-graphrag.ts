import { z } from 'zod'
import type { Message } from '../../../models/chat/chat-model.ts'
import { BadCompletion } from '../../../models/chat/json.ts'
import type { Chat } from '../../../models/completions/chat.ts'
import { builtInPrompt, promptParams, promptText } from '../../../models/prompts/prompt.ts'
import { sha256 } from '../../../store/hash.ts'
import { chunkText, defineExtractor, type Link, type Mention } from './index.ts'

const REPAIR =
  'There is no line of the form asked for. Answer again, with lines as ("entity"<|>NAME<|>TYPE<|>DESCRIPTION) and ("relationship"<|>NAME<|>NAME<|>DESCRIPTION<|>STRENGTH), <|COMPLETE|> at the end, and nothing else.'

/** GraphRAG's extraction with gleanings, until one adds nothing. */
export default defineExtractor({
  name: 'llm-graphrag',
  version: 1,
  summary: 'entities and relationships with descriptions and strength, by a language model (GraphRAG)',
  params: z.strictObject({
    ...promptParams(['text', 'types']),
    types: z
      .array(z.string().min(1))
      .min(1)
      .default(['person', 'organization', 'place', 'event', 'thing'])
      .describe('allowed kinds of entities'),
    gleanings: z.int().min(0).max(10).default(1).describe('further calls for missed entities'),
  }),
  files: ({ prompt }) => ({
    prompt: sha256(templateOf(prompt)),
    gleaning: sha256(builtInPrompt('graphrag-glean')),
  }),
  make: ({ types, gleanings, prompt }) => ({
    async extract({ chunks }, askEach) {
      const template = templateOf(prompt)
      const extractions = await askEach(chunks, (chat, chunk) =>
        askChunk(chat, template, { types: types.join(', '), text: chunkText(chunk) }, gleanings),
      )
      const mentions: Mention[] = []
      const links: Link[] = []
      let [malformedRecords, unreadGleanings, unreadChunks] = [0, 0, 0]
      extractions.forEach((extracted, chunk) => {
        if (!extracted) {
          unreadChunks++
          return
        }
        unreadGleanings += extracted.unreadGleanings
        for (const { entities, relationships, malformed } of extracted.parts) {
          malformedRecords += malformed
          for (const { name, type, description } of entities)
            mentions.push({ name, chunk, count: 1, type, text: description || undefined })
          for (const { source, target, description, strength } of relationships)
            links.push({ source, target, predicate: description, description, weight: strength, chunk })
        }
      })
      return {
        mentions,
        links,
        describe: { separator: '\n', tokens: 500 },
        notices: { malformedRecords, unreadGleanings, unreadChunks },
      }
    },
  }),
})

function templateOf(prompt: string | undefined): string {
  return promptText(prompt, 'graphrag-extract', ['text'])
}

async function askChunk(
  chat: Chat,
  template: string,
  values: Readonly<Record<string, string>>,
  gleanings: number,
): Promise<{ readonly parts: readonly Tuples[]; readonly unreadGleanings: number }> {
  const further: Message[] = []
  const say = async (words?: string) => {
    if (words !== undefined) further.push({ role: 'user', content: words })
    const text = await chat.text({ template, values, further: [...further] })
    further.push({ role: 'assistant', content: text })
    return readTuples(text)
  }
  let first = await say()
  if (!isRead(first)) {
    first = await say(REPAIR)
    if (!isRead(first)) throw new BadCompletion('the model gave no tuples of the form asked for, twice')
  }
  const parts = [first]
  for (let gleaning = 0; gleaning < gleanings; gleaning++) {
    try {
      const more = await say(builtInPrompt('graphrag-glean'))
      if (!isRead(more)) return { parts, unreadGleanings: 1 }
      const fresh = without(more, parts)
      if (fresh.entities.length + fresh.relationships.length === 0) break
      parts.push(fresh)
    } catch (error) {
      if (!(error instanceof BadCompletion)) throw error
      return { parts, unreadGleanings: 1 }
    }
  }
  return { parts, unreadGleanings: 0 }
}

function isRead({ entities, relationships, complete }: Tuples): boolean {
  return entities.length + relationships.length > 0 || complete
}

function without(more: Tuples, before: readonly Tuples[]): Tuples {
  const written = new Set(
    before.flatMap((tuples) => [...tuples.entities, ...tuples.relationships].map((it) => JSON.stringify(it))),
  )
  const fresh = (tuple: object) => !written.has(JSON.stringify(tuple))
  return { ...more, entities: more.entities.filter(fresh), relationships: more.relationships.filter(fresh) }
}

interface Tuples {
  readonly entities: readonly { readonly name: string; readonly type: string; readonly description: string }[]
  readonly relationships: readonly {
    readonly source: string
    readonly target: string
    readonly description: string
    readonly strength: number
  }[]
  readonly malformed: number
  readonly complete: boolean
}

const DELIMITER = '<|>'
const COMPLETE = '<|COMPLETE|>'

/**
 * Reads GraphRAG's tuples (Edge et al., 2024) as models write them, between `##` or line breaks, with or without
 * bullets, quotes and brackets. A strength that is no number is 1.
 */
export function readTuples(text: string): Tuples {
  const entities: Tuples['entities'][number][] = []
  const relationships: Tuples['relationships'][number][] = []
  const seen = new Set<string>()
  let malformed = 0
  for (const record of text.replaceAll(COMPLETE, '\n').split(/##|\n/)) {
    if (!record.includes(DELIMITER)) continue
    const [kind, ...fields] = record
      .replace(/\)[^)]*$/, '')
      .split(DELIMITER)
      .map(bare)
    const id = JSON.stringify([kind, ...fields])
    if (seen.has(id)) continue
    seen.add(id)
    if (/entity$/i.test(kind) && fields.length >= 2 && fields[0] !== '') {
      const [name, type, description = ''] = fields
      entities.push({ name, type: type.toUpperCase(), description })
    } else if (/relationship$/i.test(kind) && fields.length >= 3 && fields[0] !== '' && fields[1] !== '') {
      const [source, target, description, strength = ''] = fields
      relationships.push({ source, target, description, strength: strengthOf(strength) })
    } else malformed++
  }
  return { entities, relationships, malformed, complete: text.includes(COMPLETE) }
}

function bare(field: string): string {
  return field.replace(/^[\s("'*`]+/, '').replace(/(?<![\s"'*`])[\s"'*`]+$/, '')
}

function strengthOf(field: string): number {
  const strength = field === '' ? Number.NaN : Number(field)
  return strength >= 0 && strength < Number.POSITIVE_INFINITY ? strength : 1
}
