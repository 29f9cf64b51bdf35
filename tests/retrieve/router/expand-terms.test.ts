import { expect, test } from 'vitest'
import { hashExamples, readPolicies } from '../../../src/retrieve/router/intents.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { type Expansion, expandTerms } from '../../../src/retrieve/strategies/traversal.ts'
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

async function expanded(
  text: string,
  expander: 'rules' | 'words' = 'rules',
  terms = 10,
  policies = 'seed-001',
): Promise<Expansion> {
  const params = { expander, terms, policies: readPolicies(policies) }
  const expansion = expandTerms([sourceQuery(recipe)], params)
  const store = await prepare(temporaryFolder(), [expansion])
  const [found] = await evaluate(store, expansion, [{ id: 'q', text, metadata: {} }])
  return found
}

/** The names of the corpus that stand in a question, in their order. */
async function namesIn(...args: Parameters<typeof expanded>): Promise<string[]> {
  const { terms } = await expanded(...args)
  return terms.filter(({ from }) => from === 'name').map(({ text }) => text)
}

test('a question is searched by the policy of its intent', async () => {
  const policies = temporaryFolder({
    'p.yaml': `intents:
  - {name: price, any: [cost], indexes: {title: 3, term: 0.5}, alpha: 0.2}
  - {name: code, pattern: '[A-Z]{2}-[0-9]+', indexes: {tag: 4}}
otherwise: {name: other, alpha: 0.9}
`,
  })
  const policyOf = async (text: string) => {
    const { intent, indexes, alpha } = await expanded(text, 'rules', 10, `${policies}/p.yaml`)
    return { intent, indexes, alpha }
  }
  expect(await policyOf('What is the cost of AB-12?')).toEqual({
    intent: 'price',
    indexes: { title: 3, term: 0.5 },
    alpha: 0.2,
  })
  expect(await policyOf('Where is AB-12?')).toEqual({ intent: 'code', indexes: { tag: 4 }, alpha: undefined })
  expect(await policyOf('Where is it?')).toEqual({ intent: 'other', indexes: {}, alpha: 0.9 })
})

test('each name of the corpus in a question is a term, the longest of those that overlap', async () => {
  const text = 'When did Ines Karrow first see Salt Harbour?'
  expect(await namesIn(text)).toEqual(['ines karrow', 'salt harbour'])
  expect(await namesIn(text, 'rules', 1)).toEqual(['ines karrow'])
  expect(await namesIn('Who built the harbour?')).toEqual(['harbour'])
  expect(await namesIn(text, 'words')).toEqual([])
  expect(await namesIn('Who built the bridge?')).toEqual([])
  // A tag before a title; a name of stop words alone says nothing.
  expect(await namesIn('Is the lighthouse of Salt Harbour lit, such is it?')).toEqual([
    'lighthouse',
    'salt harbour',
  ])
})

test('a file of examples is part of the key by its content; the built-in ones are not', () => {
  const folder = temporaryFolder({ 'e.json': '[]' })
  expect(hashExamples(`${folder}/e.json`)).toEqual({ examples: sha256('[]') })
  expect(hashExamples(undefined)).toEqual({})
})
