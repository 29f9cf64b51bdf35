import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keywordsOf } from '../../../src/corpus/corpus.ts'
import { find } from '../../../src/registry.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { queryTransforms } from '../../../src/retrieve/transforms/index.ts'
import { recased } from '../../../src/retrieve/transforms/normalize-keywords.ts'
import type { Query } from '../../../src/types.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe } from '../strategies/prepared.ts'

async function transformed(
  name: string,
  params: Record<string, unknown>,
  query: Partial<Query>,
): Promise<Query> {
  const transform = find(queryTransforms, name)
  const root = transform.make(transform.params.parse(params)).rewrite(sourceQuery(recipe))
  const store = await prepare(temporaryFolder(), [root])
  const [result] = await evaluate(store, root, [{ id: 'q', text: '', metadata: {}, ...query }])
  return result
}

describe('aliases', () => {
  const names = { AC: 'Armor Class', 'hit points': 'Hit Points', hp: 'Hit Points' }
  it('replaces whole words, the longest first, on both sides', async () => {
    const query = { text: 'Does AC or HP matter, or hit  points? PAC', lexical: 'AC' }
    expect(await transformed('aliases', { names }, query)).toMatchObject({
      text: 'Does Armor Class or Hit Points matter, or Hit Points? PAC',
      lexical: 'Armor Class',
    })
  })
})

describe('expand-synonyms', () => {
  const terms = { 'regain wounds': ['heal', 'get better'], incapacitated: ['die', 'dies'] }
  it('appends official terms to the lexical side only', async () => {
    const query = await transformed('expand-synonyms', { terms }, { text: 'Can I Heal before it dies?' })
    expect(query.text).toBe('Can I Heal before it dies?')
    expect(query.lexical).toBe('Can I Heal before it dies? regain wounds incapacitated')
  })
  it('appends as the examples of seed document 002', async () => {
    const terms = {
      'regain wounds': ['heal', 'healing', 'restore health', 'recover hp'],
      incapacitated: ['die', 'died', 'killed', 'destroyed', 'eliminated'],
      'control range': ['melee range', 'base contact', 'engaged'],
    }
    const lexical = async (text: string) =>
      (await transformed('expand-synonyms', { terms }, { text })).lexical
    expect(await lexical('Can I heal my operative?')).toBe('Can I heal my operative? regain wounds')
    expect(await lexical('Does the model die?')).toBe('Does the model die? incapacitated')
    expect(await lexical('melee range')).toBe('melee range control range')
    expect(await lexical('heal, HEALING')).toBe('heal, HEALING regain wounds')
  })
  it('finds synonyms of several words, in any case, as whole words', async () => {
    const lexical = async (text: string) =>
      (await transformed('expand-synonyms', { terms }, { text })).lexical
    expect(await lexical('When do I GET \n better?')).toBe('When do I GET \n better? regain wounds')
    for (const text of ['forget better', 'get betters', 'get much better'])
      expect(await lexical(text)).toBeUndefined()
  })
})

describe('a dictionary in a file', () => {
  const files = {
    'terms.json': '{"regain wounds": ["heal"]}',
    'circle.yaml': 'names: [x]\na: b\nb: A\n',
    'synonyms.yaml': 'a: [b]\n\nb: [c, A]\n',
  }
  it('is what stands in it', async () => {
    const folder = temporaryFolder(files)
    const params = { path: join(folder, 'terms.json') }
    expect((await transformed('expand-synonyms', params, { text: 'Can I heal?' })).lexical).toContain(
      'regain wounds',
    )
  })
})

describe('normalize-keywords', () => {
  it('takes keywords from headings', () => {
    const keywords = keywordsOf([
      'Accurate x',
      'Lethal 5+',
      'KROOT - Poisoned Weapon',
      'FLY',
      'Dash',
      'Heron (ship)',
      'Grappled [Condition]',
    ])
    expect([...keywords.values()].sort()).toEqual([
      'Accurate',
      'Dash',
      'Grappled',
      'Heron',
      'KROOT',
      'Lethal',
      'Poisoned Weapon',
    ])
  })
  it('writes them so in the query, the longest first', () => {
    const keywords = keywordsOf(['Accurate x', 'Poisoned Weapon', 'Weapon'])
    expect(recased('is ACCURATE 1 with a poisoned  weapon, or weapon?', keywords)).toBe(
      'is Accurate 1 with a Poisoned Weapon, or Weapon?',
    )
  })
})
