import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { createEnrich } from '../../src/corpus/chunks/enrich.ts'
import { textUnits } from '../../src/corpus/corpus.ts'
import { createFilter } from '../../src/corpus/filter.ts'
import { openStore } from '../../src/store/store.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { countTokens } from '../../src/text/tokens.ts'
import type { Document } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'
import { recipeOf } from './recipes.ts'

const BOOK: Document = {
  id: 'book.md',
  title: 'Book',
  text: [
    '[page 7]\n# Spells',
    'A spell is magic.',
    '## Ember',
    '*Level 2 Evocation (Mage, Priest)*',
    'A spark deals fire damage. [page 8]',
    '### Higher levels',
    'More fire damage.',
    '## Prose',
    'Long ago.',
  ].join('\n\n'),
  metadata: { ruleset: 'r', tags: ['old'] },
}
const RULES = {
  content_kind: [
    { value: 'spell', text: '\\*Level \\d' },
    { value: 'rule', text: 'magic|damage' },
  ],
  traits: [{ text: '(?m)^\\*Level \\d \\w+ \\(([^)]*)\\)', split: ',', content_kind: '^spell$' }],
  tags: [{ text: '\\b(fire|cold) damage' }, { value: 'magical', content_kind: 'spell' }],
  page: '\\[page (\\d+)\\]',
  is_rule_bearing: [{ content_kind: '^(?:spell|rule)$' }],
}
const chunksOf = (document: Document) =>
  chunkDocuments([document], { name: 'headings', params: { levels: 4 } })
const enriched = (rules: object, document = BOOK) =>
  createEnrich(rules as never)(chunksOf(document), [document]).map(({ section, metadata }) => [
    section.at(-1),
    metadata,
  ])

test('kind, traits, tags, page, whether it bears a rule, and the level of its heading', () => {
  expect(Object.fromEntries(enriched(RULES))).toEqual({
    // The mark stands before the first heading, in a chunk of its own.
    undefined: { ruleset: 'r', page: 7, is_rule_bearing: false },
    Spells: { ruleset: 'r', content_kind: 'rule', page: 7, is_rule_bearing: true, heading_level: 1 },
    Ember: {
      ruleset: 'r',
      content_kind: 'spell',
      tags: ['fire', 'magical'],
      traits: ['Mage', 'Priest'],
      page: 7,
      is_rule_bearing: true,
      heading_level: 2,
    },
    'Higher levels': {
      ruleset: 'r',
      content_kind: 'rule',
      tags: ['fire'],
      page: 8,
      is_rule_bearing: true,
      heading_level: 3,
    },
    Prose: { ruleset: 'r', page: 8, is_rule_bearing: false, heading_level: 2 },
  })
})

test('every rule that holds adds its values once; the first that holds says the kind', () => {
  const word = fc.constantFrom('ash', 'birch', 'cedar', 'elm')
  const rules = fc.array(fc.record({ value: fc.constantFrom('a', 'b', 'c'), text: word }), { maxLength: 5 })
  fc.assert(
    fc.property(rules, fc.array(word, { maxLength: 4 }), (rules, words) => {
      const holding = rules.filter(({ text }) => words.includes(text)).map(({ value }) => value)
      const [[, metadata]] = enriched(
        { content_kind: rules, tags: rules },
        { id: 'd', title: '', text: `x ${words.join(' ')}`, metadata: {} },
      )
      expect(metadata).toEqual({
        ...(holding.length > 0 && { content_kind: holding[0], tags: [...new Set(holding)] }),
      })
    }),
  )
})

test('typed columns stand in the table only with enrich, and filters read them', async () => {
  const root = temporaryFolder()
  const store = openStore(root)
  const plain = { ...recipeOf([BOOK]), chunk: { name: 'headings', params: { levels: 4 } } }
  const recipe = { ...plain, enrich: { name: 'patterns', params: { rules: RULES } } }
  const columns = async (of: typeof plain) => {
    const units = textUnits(of)
    await store.prepare(units)
    return readTable(join(root, units.name, units.key.slice(0, 32), 'text_units.parquet'))
  }
  expect((await columns(plain)).columns.at(-1)).toBe('metadata')
  const table = await columns(recipe)
  const { rows } = table
  const titles = table.lists('section').map((path) => path.at(-1))
  const at = (name: string) => titles.indexOf(name)
  expect(rows).toBe(5)
  expect(table.strings('content_kind')[at('Ember')]).toBe('spell')
  expect(table.lists('traits')[at('Ember')]).toEqual(['Mage', 'Priest'])
  expect(table.lists('tags')[at('Prose')]).toEqual([])
  expect(table.numbers('page')[at('Higher levels')]).toBe(8)
  expect(table.numbers('heading_level').filter(Number.isNaN)).toHaveLength(1)
  const row = at('Higher levels')
  expect(table.strings('title')[row]).toBe('Higher levels')
  expect([table.numbers('position')[row], table.numbers('heading_level')[row]]).toEqual([3, 3])
  expect(table.numbers('n_tokens')[row]).toBe(countTokens(`Higher levels\n${table.strings('text')[row]}`))
  expect(table.booleans('is_rule_bearing')[at('Prose')]).toBe(false)
  const chunks = await store.open(textUnits(recipe))
  const sectionsOf = (where: object) =>
    [...createFilter(chunks, where as never)({}).rows].map((row) => chunks[row].section.at(-1))
  expect(sectionsOf({ traits: 'Priest' })).toEqual(['Ember'])
  expect(sectionsOf({ page: { from: 8 }, is_rule_bearing: true })).toEqual(['Higher levels'])
})
