import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describers, fold } from '../../../src/corpus/graph/describers.ts'
import { BadCompletion } from '../../../src/models/chat/json.ts'
import type { Chat } from '../../../src/models/completions/chat.ts'
import { resolve } from '../../../src/registry.ts'
import { countTokens } from '../../../src/text/tokens.ts'

const llm = (params: Record<string, number>) => {
  const { definition, params: filled } = resolve(describers, {
    name: 'llm',
    params: { model: 'm', ...params },
  })
  const { ask } = definition
  if (!ask) throw new Error('it asks')
  const summarize = async (chat: Chat, pieces: readonly string[]) => {
    const described = [{ row: 7, names: 'Ada', pieces }]
    const { entities, relationships } = await ask(chat, { entities: described, relationships: [] }, filled)
    expect(relationships).toEqual([])
    return entities
  }
  const echo: Chat = { json: () => Promise.reject(new Error('it asks for text')), text: async () => 'short' }
  return {
    isSummarized: async (pieces: readonly string[]) => (await summarize(echo, pieces)).length === 1,
    summarize,
  }
}

describe('folding descriptions', () => {
  it('reads every one once, in order, and the summary so far first, within the tokens or by two', async () => {
    const words = fc.array(fc.constantFrom('salt', 'glass', 'the old harbour', 'ships'), { minLength: 1 })
    const pieces = fc.array(
      words.map((list) => list.join(' ')),
      { minLength: 2, maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 60 }), async (pieces, tokens) => {
        const calls: (readonly string[])[] = []
        const found = await fold(pieces, tokens, async (few) => {
          calls.push(few)
          return `summary ${calls.length}`
        })
        expect(found).toBe(`summary ${calls.length}`)
        const read = calls.flatMap((few, call) => (call === 0 ? few : few.slice(1)))
        expect(read).toEqual(pieces)
        calls.slice(1).forEach((few, call) => {
          expect(few[0]).toBe(`summary ${call + 1}`)
        })
        const size = (few: readonly string[]) => few.reduce((sum, piece) => sum + countTokens(piece), 0)
        calls.forEach((few, call) => {
          if (few.length > 2) expect(size(few)).toBeLessThanOrEqual(tokens)
          // It would not have taken another.
          const [next] = calls[call + 1]?.slice(1) ?? []
          if (next !== undefined) expect(size([...few, next])).toBeGreaterThan(tokens)
        })
      }),
    )
  })
})

describe('a model that describes', () => {
  it('is asked from a number of descriptions on, or where several are long together', async () => {
    const { isSummarized } = llm({ minDescriptions: 3, minTokens: 6 })
    expect(await isSummarized(['one of many words, more than six of them'])).toBe(false)
    expect(await isSummarized(['salt', 'glass'])).toBe(false)
    expect(await isSummarized(['salt', 'glass', 'ships'])).toBe(true)
    expect(await isSummarized(['salt and glass and ships', 'an old harbour'])).toBe(true)
    expect(await llm({}).isSummarized(['salt', 'glass'])).toBe(true)
  })

  it('leaves alone what it answered nothing of use', async () => {
    const chat: Chat = {
      json: async () => {
        throw new Error('it asks for text')
      },
      text: async ({ values }) => {
        if (values.descriptions.includes('glass')) throw new BadCompletion('the model answered nothing')
        return `${values.names}: ${values.descriptions.replaceAll('\n', ' ')} (${values.words})`
      },
    }
    const { summarize } = llm({ words: 30 })
    expect(await summarize(chat, ['salt\n\nof old', 'ships'])).toEqual([
      [7, 'Ada: - salt of old - ships (30)'],
    ])
    expect(await summarize(chat, ['salt', 'glass'])).toEqual([[7, null]])
    const broken = { ...chat, text: () => Promise.reject(new Error('no network')) }
    await expect(summarize(broken, ['salt', 'ships'])).rejects.toThrow('no network')
  })
})
