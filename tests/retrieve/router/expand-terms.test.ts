import { expect, test } from 'vitest'
import { readPolicies } from '../../../src/retrieve/router/intents.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { expandTerms, hashExamples, readExamples } from '../../../src/retrieve/strategies/traversal/terms.ts'
import { sha256 } from '../../../src/store/hash.ts'
import { recipeOf } from '../../corpus/recipes.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare } from '../strategies/prepared.ts'

const TITLES = ['Salt Harbour', 'Ines Karrow', 'Harbour', 'Such Is It']
const recipe = recipeOf(
  TITLES.map((title, index) => ({
    id: `d${index}`,
    title,
    text: `A passage of number ${index}.`,
    metadata: { tag: index === 0 ? 'lighthouse' : '' },
  })),
)

/** The names of the corpus that stand in a question, in their order. */
async function namesIn(
  text: string,
  expander: 'rules' | 'words' = 'rules',
  terms = 10,
  policies = 'seed-001',
): Promise<string[]> {
  const analysis = { stemmer: 'porter2', stopwords: 'english' } as const
  const params = { expander, terms, policies: readPolicies(policies), analysis }
  const expansion = expandTerms([sourceQuery(recipe)], params)
  const store = await prepare(temporaryFolder(), [expansion])
  const [found] = await evaluate(store, expansion, [{ id: 'q', text, metadata: {} }])
  return found.terms.filter(({ from }) => from === 'name').map(({ text }) => text)
}

test('each name of the corpus in a question is a term, the longest of those that overlap', async () => {
  const text = 'When did Ines Karrow first see Salt Harbour?'
  expect(await namesIn(text)).toEqual(['ines karrow', 'salt harbour'])
  expect(await namesIn(text, 'rules', 1)).toEqual(['ines karrow'])
  expect(await namesIn('Who built the harbour?')).toEqual(['harbour'])
  expect(await namesIn(text, 'words')).toEqual([])
  expect(await namesIn('Who built the bridge?')).toEqual([])
  // A tag before a title; a name of stop words alone says nothing.
  expect(await namesIn('Is the lighthouse of Salt Harbour lit, such is it?')).toEqual([
    ...['lighthouse', 'salt harbour'],
  ])
})

test('names of the policies come before those of the corpus, whatever holds them', async () => {
  const policies = temporaryFolder({
    'p.json': JSON.stringify({
      otherwise: { name: 'other' },
      names: { condition: ['Grabbed', 'ill'], feat: ['Salt Harbour Swim'] },
    }),
  })
  const text = 'Is Ines Karrow grabbed at Salt Harbour, or ill?'
  const named = (terms?: number) => namesIn(text, 'rules', terms, `${policies}/p.json`)
  expect(await named()).toEqual(['grabbed', 'ines karrow', 'salt harbour'])
  expect(await named(1)).toEqual(['grabbed'])
  expect(await namesIn(text)).toEqual(['ines karrow', 'salt harbour'])
})

const example = (question: string, terms: readonly string[]) => ({ question, terms })
const letters = (count: number) => 'a'.repeat(count)
test.each([
  [true, [example('q', ['t'])]],
  [true, [example(letters(1000), [letters(200)])]],
  [
    true,
    Array.from({ length: 100 }, () =>
      example(
        'q',
        Array.from({ length: 50 }, () => 't'),
      ),
    ),
  ],
  [false, []],
  [false, Array.from({ length: 101 }, () => example('q', ['t']))],
  [false, [example('', ['t'])]],
  [false, [example(letters(1001), ['t'])]],
  [false, [example('q', [])]],
  [false, [example('q', [''])]],
  [false, [example('q', [letters(201)])]],
  [
    false,
    [
      example(
        'q',
        Array.from({ length: 51 }, () => 't'),
      ),
    ],
  ],
])('examples for a model have limits: read is %s for case %#', (isRead, examples) => {
  const folder = temporaryFolder({ 'e.json': JSON.stringify(examples) })
  const read = () => readExamples(`${folder}/e.json`)
  if (isRead) expect(read()).toEqual(examples)
  else expect(read).toThrow('e.json:1')
})

test('a file of examples is part of the key by its content; the built-in ones are not', () => {
  const folder = temporaryFolder({ 'e.json': '[]' })
  expect(hashExamples(`${folder}/e.json`)).toEqual({ examples: sha256('[]') })
  expect(hashExamples(undefined)).toEqual({})
})
