import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { UserError } from '../../../src/errors.ts'
import { intentOf, readPolicies, ruledTerms } from '../../../src/retrieve/router/intents.ts'
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
      'intents: [{name: price, any: [cost], indexes: {title: 3}, alpha: 0.2}]\notherwise: {name: other}\nexpand: [{pattern: "\\\\bhp\\\\b", terms: [hit points]}]\n',
    ),
  )
  expect(intentOf('the cost of rope', policies)).toEqual({
    ...{ name: 'price', any: ['cost'] },
    ...{ indexes: { title: 3 }, alpha: 0.2 },
  })
  expect(ruledTerms('how much HP has it', policies)).toEqual(['hit points'])
})

it('tells every error with its line', () => {
  const file = fileOf(
    'intents:\n  - {name: price}\n  - {name: code, pattern: "(a+"}\notherwise: {name: other, indexes: {titel: 2}}\n',
  )
  try {
    readPolicies(file)
    expect.unreachable()
  } catch (error) {
    const { diagnostics } = error as UserError
    expect(diagnostics.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(diagnostics.map(({ message }) => message).join('\n')).toMatch(
      /needs a condition[\s\S]*not a regular expression[\s\S]*titel/,
    )
  }
})
