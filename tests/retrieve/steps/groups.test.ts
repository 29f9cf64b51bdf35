import { expect, test } from 'vitest'
import { namedGroups, showGroups } from '../../../src/retrieve/steps/hop-judges.ts'

const none = { members: [], abilities: [], aliases: [] }
const groups = {
  Kommandos: { members: ['Burna Boy'], abilities: ['Ere We Go'], aliases: ['orks'] },
  Pathfinders: { ...none, aliases: ['tau'] },
  'Nemesis Claw': none,
}

test.each([
  ['a member', 'Can a burna boy climb?', ['Kommandos']],
  ['an ability', 'When is "ere we go" used?', ['Kommandos']],
  ['an alias', 'Do tau shoot first?', ['Pathfinders']],
  ['a name nearly right', 'Can kommando use stikkbombs?', ['Kommandos']],
  ['a name of two words, misspelt', 'can a nemesys claw operative hide', ['Nemesis Claw']],
  ['several, in the order of the list', 'tau against orks', ['Kommandos', 'Pathfinders']],
  ['a name in one word fewer', 'wherever nemesisclaw operatives hide', ['Nemesis Claw']],
  ['a name in one word more', 'operatives komma ndos climbing', ['Kommandos']],
  ['no part of a word', 'What do taurus do?', []],
])('%s names a group', (_, question, named) => {
  expect(namedGroups(question, groups)).toEqual(named)
})

test('a question that names one group of 48 has 95 % fewer tokens of groups', () => {
  const many = Object.fromEntries(
    Array.from({ length: 48 }, (_, i) => [
      `Team of ${String.fromCharCode(97 + (i % 26)).repeat(5 + i)}`,
      {
        members: ['Burly Boy', 'Slasher Boy', 'Rokkit Boy'],
        abilities: ['Here We Go', 'Hidden Blade'],
        aliases: [`no${i}`],
      },
    ]),
  )
  const { named, tokens, allTokens } = showGroups('Can no7 use bombs?', many, true)
  expect(named).toHaveLength(1)
  expect(allTokens).toBeGreaterThan(1500)
  expect(1 - tokens / allTokens).toBeGreaterThan(0.95)
})

test('the whole list is told where no group is named, and where nothing is to be left out', () => {
  const [some, all, question] = [
    showGroups('orks?', groups, true),
    showGroups('orks?', groups, false),
    showGroups('What is cover?', groups, true),
  ]
  expect(some.text).toBe('Kommandos; members: Burna Boy; abilities: Ere We Go; aliases: orks')
  expect(all.text.split('\n')).toEqual([some.text, 'Pathfinders; aliases: tau', 'Nemesis Claw'])
  expect(question.text).toBe(all.text)
  expect(question.named).toEqual([])
  expect(some.tokens).toBeLessThan(all.tokens)
  expect([some.allTokens, question.tokens]).toEqual([all.tokens, all.tokens])
})
