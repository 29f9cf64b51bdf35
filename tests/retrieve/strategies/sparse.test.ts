import { expect, it } from 'vitest'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { NOT_COVERED } from '../../../src/retrieve/steps/hipporag.ts'
import type { Query, Ranking } from '../../../src/types.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { temporaryFolder } from '../../temporary.ts'
import { prepare, retrieved } from './prepared.ts'

const NAMELESS = [
  'salt is raked from pans at the edge of the sea',
  'peat is cut in spring and dried on racks until autumn',
  'a dry needle turns on a pin inside a brass bowl',
  'small brown sheep graze the wet hills above the bay',
  'bitter apples are pressed in autumn and kept in oak',
  'herring are packed in barrels between layers of salt',
  'a bell is cast in a pit of sand and loam',
  'rope is twisted from hemp in a long narrow shed',
]

/** Passages without a name, and `named` that name two people each. */
function corpusOf(named: number) {
  const names = Array.from(
    { length: named },
    (_, i) => `Then Almar Voss met Dara Quill ${i} times at Port Ellery.`,
  )
  return { ...recipeOf(documentsOf([...NAMELESS, ...names])), graph: [{ name: 'rules', params: {} }] }
}

async function ask(recipe: ReturnType<typeof corpusOf>, name: string, text: string) {
  const { ranking } = retrieved(name, {}, sourceQuery(recipe))
  const query: Query = { id: 'q', text, metadata: {} }
  const memo = createMemo(await prepare(temporaryFolder(), [ranking]), [query], () => 0)
  const [cell] = await memo.cells(ranking)
  return { ranking: cell?.value as Ranking, ...memo.facts([ranking], 0) }
}

it('hipporag is naive, and says so, where the graph lacks most of the nearest passages', async () => {
  const text = 'Who met at Port Ellery to rake salt from the sea?'
  const sparse = corpusOf(2)
  const { ranking, counters, fallbacks } = await ask(sparse, 'hipporag', text)
  expect(ranking).toEqual((await ask(sparse, 'naive', text)).ranking)
  expect(counters).toMatchObject({ links: 5, fallbacks: 1 })
  expect(fallbacks).toEqual([NOT_COVERED])
})

it('hipporag walks where the graph holds half of them', async () => {
  const { counters } = await ask(corpusOf(8), 'hipporag', 'Who met at Port Ellery to rake salt from the sea?')
  expect(counters).toMatchObject({ fallbacks: 0 })
})
