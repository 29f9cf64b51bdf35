import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  hashPolicies,
  intentOf,
  intentsOf,
  readPolicies,
  ruledTerms,
} from '../../../src/retrieve/router/intents.ts'
import { temporaryFolder } from '../../temporary.ts'

function fileOf(text: string): string {
  const file = join(temporaryFolder(), 'policies.yaml')
  writeFileSync(file, text)
  return file
}

it.each([
  ['What is the difference between a hide and a dodge?', 'comparison'],
  ['What does flat-footed do?', 'definition'],
  ['How can I stand up?', 'procedure'],
  ['How much is a rope?', 'lookup'],
  ['Can I hide behind a friend?', 'interaction'],
  ['flat-footed', 'general'],
])('%s is a question of the kind %s', (text, intent) => {
  expect(intentOf(text, readPolicies('seed-001')).name).toBe(intent)
})

it('reads policies and rules from a file', () => {
  const policies = readPolicies(
    fileOf(
      'intents: [{name: price, any: [cost], indexes: {title: 3}, alpha: 0.2}, {name: code, pattern: "[A-Z]{2}-[0-9]+"}]\notherwise: {name: other}\nexpand: [{pattern: "\\\\bhp\\\\b", terms: [hit points]}]\n',
    ),
  )
  expect(intentOf('the cost of rope', policies)).toEqual({
    name: 'price',
    any: ['cost'],
    indexes: { title: 3 },
    alpha: 0.2,
  })
  // The first intent that holds, by words or by a regular expression.
  const named = ['Cost of AB-12?', 'Where is AB-12?', 'Where is AB?'].map(
    (text) => intentOf(text, policies).name,
  )
  expect(named).toEqual(['price', 'code', 'other'])
  expect(ruledTerms('how much HP has it', policies)).toEqual(['hit points'])
  expect(ruledTerms('how much has it', policies)).toEqual([])
})

it.each([
  ['comparison', { title: 1.5, entity: 1.5 }],
  ['definition', { title: 2 }],
  ['procedure', { title: 1.5 }],
  ['lookup', { tag: 2, trait: 2 }],
  ['interaction', { entity: 1.5 }],
])('a question of the kind %s weighs %o', (name, indexes) => {
  expect(readPolicies('seed-001').intents.find((intent) => intent.name === name)?.indexes).toEqual(indexes)
})

it('are part of a key if they are in a file, and those that a fitted router chooses by', () => {
  const file = fileOf('otherwise: {name: other}\n')
  expect(hashPolicies('seed-001')).toEqual({})
  expect(hashPolicies(file)).toEqual({ policies: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect([intentsOf(undefined), intentsOf('features')]).toEqual([undefined, undefined])
  expect(intentsOf('intent')).toBe(readPolicies('seed-001'))
  expect(intentsOf(file)).toEqual({ intents: [], otherwise: { name: 'other', indexes: {} }, expand: [] })
})
