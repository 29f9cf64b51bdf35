import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkDocuments } from '../../src/corpus/chunks/chunk.ts'
import { createEnrich, enrichers, enrichmentRules } from '../../src/corpus/chunks/enrich.ts'
import { textUnits } from '../../src/corpus/corpus.ts'
import { createFilter } from '../../src/corpus/filter.ts'
import { resolve as resolveChoice } from '../../src/registry.ts'
import { openStore } from '../../src/store/store.ts'
import { readTable } from '../../src/tables/parquet.ts'
import type { ChunkRule } from '../../src/text/chunk-rules.ts'
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

test('a column without rules stays what the document says; a number that is none is told', () => {
  expect(enriched({})).toContainEqual(['Prose', { ruleset: 'r', tags: ['old'], heading_level: 2 }])
  expect(() => enriched({ page: 'page (\\d*)', tags: [] }, { ...BOOK, text: 'page x' })).toThrow(
    'in "page " of the document "book.md" it holds ""',
  )
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
  const kept = (where: object) =>
    [...createFilter(chunks, where as never)({}).rows].map((row) => chunks[row].section.at(-1))
  expect(kept({ traits: 'Priest' })).toEqual(['Ember'])
  expect(kept({ page: { from: 8 }, is_rule_bearing: true })).toEqual(['Higher levels'])
})

test('the same rules have the same key, inline or in a file, and other rules another', () => {
  const folder = temporaryFolder()
  const write = (name: string, rules: object) => {
    writeFileSync(join(folder, name), JSON.stringify(rules))
    return join(folder, name)
  }
  const keyWith = (rules: unknown) =>
    textUnits({ ...recipeOf([BOOK]), enrich: { name: 'patterns', params: { rules: rules as never } } }).key
  expect(keyWith(write('a.json', RULES))).toBe(keyWith(RULES))
  expect(keyWith(write('b.json', {}))).not.toBe(keyWith(RULES))
  expect(textUnits(recipeOf([BOOK])).key).not.toBe(keyWith({}))
})

test('each error of a file of rules is told with its line', () => {
  const path = join(temporaryFolder(), 'rules.yaml')
  writeFileSync(
    path,
    'content_kind:\n  - {value: spell, text: "(?=a)"}\n  - {text: a}\ncolour: []\npage: "(a)(b)"\n' +
      'tags:\n  - {value: a}\n  - {value: a, text: b, split: ","}\n',
  )
  const lines = () => enrichmentRules({ rules: path })
  expect(lines).toThrow(/rules.yaml:2:.*is not a regular expression/)
  expect(lines).toThrow(/rules.yaml:5:.*exactly one group/)
  expect(lines).toThrow(/rules.yaml:7:.*needs a pattern/)
  expect(lines).toThrow(/rules.yaml:8:.*`split` cuts/)
  expect(lines).toThrow(/rules.yaml:4:1: there is no key `colour`; there are content_kind, tags/)
})

test('the ready rules for srd52 are rules, and the spells of a page are spells', () => {
  const rules = resolve(import.meta.dirname, '../../configs/enrich/srd52.yaml')
  const { params } = resolveChoice(enrichers, { name: 'patterns', params: { rules } })
  const text =
    '## Chain\n\n*Level 6 Evocation (Sorcerer, Wizard)*\n\n**Duration:** Concentration\n\nFire damage.'
  const document = { id: '07_Spells.md', title: 'Spells', text, metadata: {} }
  const [{ metadata }] = createEnrich(enrichmentRules(params))(chunksOf(document), [document])
  expect(metadata).toEqual({
    content_kind: 'spell',
    is_rule_bearing: true,
    heading_level: 2,
    tags: ['Fire'],
    traits: ['Level 6', 'Evocation', 'Sorcerer', 'Wizard', 'Concentration'],
  })
})

test.each([
  ['spell', '07_Spells.md', '*Level 2 Evocation (Mage)*'],
  ['spell', '07_Spells.md', '*Evocation Cantrip (Mage)*'],
  ['feat', '05_Feats.md', '*Origin Feat*\n\nYou make a saving throw.'],
  ['item', '10_Items.md', '*Ring, Rare (Requires Attunement)*\n\nYou make a saving throw.'],
  ['table', '02_Play.md', 'Table: Prices\n\nYou make a saving throw.'],
  ['table', '02_Play.md', '| d6 | Find |\n|---|---|\n| 1 | gold |'],
  ['rule', '02_Play.md', 'The target makes a saving throw.'],
  ['narrative', '02_Play.md', 'Once upon a time there was a dragon.'],
])('the ready rules for srd52 find the kind %s in %s', (kind, id, body) => {
  const rules = enrichmentRules({ rules: resolve(import.meta.dirname, '../../configs/enrich/srd52.yaml') })
  const document = { id, title: 'Book', text: `## Name\n\n${body}`, metadata: {} }
  const [{ metadata }] = createEnrich(rules)(chunksOf(document), [document])
  expect(metadata.content_kind).toBe(kind)
})

// A value may be any text; a group may hold nothing.
test('what a group holds is trimmed, and nothing is no value', () => {
  const rule: ChunkRule = { text: 'x(,?[ a]*)', split: ',' }
  const of = (text: string) => enriched({ tags: [rule] }, { id: 'd', title: '', text, metadata: {} })[0][1]
  expect(of('x, a ')).toEqual({ tags: ['a'] })
  expect(of('x')).toEqual({})
})

test('a rule reads the kind that a document has, if it is a text', () => {
  const rules = {
    tags: [
      { value: 'magical', content_kind: '^spell$' },
      { value: 'third', content_kind: '^3$' },
    ],
  }
  const tagsOf = (metadata: Document['metadata']) => {
    const document = { id: 'd', title: '', text: 'A spark.', metadata }
    return enriched(rules, document).map(([, found]) => (found as Document['metadata']).tags)
  }
  expect([tagsOf({ content_kind: 'spell' }), tagsOf({ content_kind: 3 })]).toEqual([
    [['magical']],
    [undefined],
  ])
})

test('a mark of a page without a number is refused', () => {
  const document = { id: 'd', title: '', text: 'One. [page  ] Two.', metadata: {} }
  expect(() => enriched({ page: '\\[page( *\\d*)\\]' }, document)).toThrow(
    '`prepare.enrich`, page: the group must hold a whole number, and in "[page  ]" of the document "d" it holds "  "',
  )
})

test('progress is told at each hundred chunks', () => {
  const document = { id: 'd', title: '', text: 'One. '.repeat(201), metadata: {} }
  const chunks = chunkDocuments([document], { name: 'sentences', params: { each: 1 } })
  const told: unknown[] = []
  createEnrich({} as never)(chunks, [document], (...report) => told.push(report))
  expect(told).toEqual([0, 100, 200].map((done) => ['enriched', done, 201]))
})
