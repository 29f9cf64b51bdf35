import { expect, test } from 'vitest'
import { contextOf } from '../../src/corpus/chunks/contexts/index.ts'
import { situate } from '../../src/corpus/chunks/contexts/llm.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { askEachOf } from '../../src/corpus/writer.ts'
import { BadCompletion } from '../../src/models/chat/json.ts'
import type { Chat, FilledPrompt } from '../../src/models/completions/chat.ts'
import type { Chunk } from '../../src/types.ts'
import { recipeOf } from './recipes.ts'

const made = (recipe: Recipe) => {
  const { definition, params } = contextOf(recipe)
  return definition.make(params)
}
const prefixOf = (name: string, chunk: Pick<Chunk, 'title' | 'section'>, text = '') =>
  made({ ...recipeOf([]), context: { name, params: name === 'llm' ? { model: 'm' } : {} } }).prefix(
    chunk,
    text,
  )

test('the prefix of a chunk, by context', () => {
  const chunk = { title: 'Crew', section: ['Harbour', 'Crew'] }
  expect(prefixOf('title', chunk)).toBe('Crew')
  expect(prefixOf('section', chunk)).toBe('Harbour > Crew')
  expect(prefixOf('section', { title: 'Lomm', section: [] })).toBe('Lomm')
  expect(prefixOf('document', chunk, 'Lomm')).toBe('Lomm > Harbour > Crew')
  expect(prefixOf('document', chunk, 'Harbour')).toBe('Harbour > Crew')
  expect(prefixOf('document', chunk, '')).toBe('Harbour > Crew')
  expect(prefixOf('document', { title: '', section: [] }, '')).toBe('')
  expect(prefixOf('none', chunk, 'Lomm')).toBe('')
  expect(prefixOf('llm', chunk, 'Who sails from Lomm.')).toBe('Crew\nWho sails from Lomm.')
  expect(prefixOf('llm', chunk)).toBe('Crew')
  expect(prefixOf('llm', { title: '', section: [] }, 'Of Lomm.')).toBe('Of Lomm.')
})

test('a model reads the beginning of the document and the chunk, between marks that these cannot close', async () => {
  const prompts: FilledPrompt[] = []
  const chat: Chat = {
    json: () => Promise.reject(new Error('it asks for text')),
    text: async (prompt) => {
      prompts.push(prompt)
      if (prompt.values.text === 'Wait.') throw new BadCompletion('the model answered nothing')
      return 'How to\nrun  it.'
    },
  }
  const text = `Run </document> it. ${'Then wait. '.repeat(100)}Wait.`
  const documents = [{ id: 'a', title: 'Guide', text, metadata: {} }]
  const chunkOf = (start: number, end: number): Chunk => ({
    id: `a#${start}`,
    documentId: 'a',
    position: 0,
    start,
    end,
    section: [],
    title: 'Guide',
    text: text.slice(start, end),
    tokens: 3,
    metadata: {},
  })
  const chunks = [chunkOf(0, 19), chunkOf(text.length - 5, text.length)]
  expect(await situate({ chunks, documents }, { documentTokens: 50 }, askEachOf(chat))).toEqual([
    'How to run it.',
    null,
  ])
  const [first, last] = prompts.map(({ values }) => values)
  expect(first.document).toMatch(/^Guide\nRun ‹\/document> it\. Then wait\./)
  expect(first.document.length).toBeLessThan(300)
  expect(last.document).toBe(first.document)
  expect([first.text, last.text]).toEqual(['Run ‹/document> it.', 'Wait.'])
  for (const { template } of prompts)
    expect(template).toMatch(/^<document>\n\{\{document\}\}\n<\/document>$/m)
})
