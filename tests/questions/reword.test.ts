import { expect, test } from 'vitest'
import { rewordDrafts } from '../../src/questions/reword.ts'

const TEXT = 'The harbour master rings the tide bell.'
const draft = (text: string) => ({
  kind: 'definition',
  text,
  answer: '',
  from: ['d'],
  gold: [{ documentId: 'd', start: 0, end: TEXT.length }],
})
const reworded = (...questions: string[]) =>
  rewordDrafts(questions.map(draft) as never, 'removed', new Map([['d', TEXT]]))

test('the longer half of the words of the gold goes, while two words stay', () => {
  const { drafts, dropped } = reworded(
    'Who tells sailors of the harbour bell?',
    'What harbour?',
    'Which harbour master?',
  )
  expect(drafts.map(({ text }) => text)).toEqual(['Who tells sailors of the bell?'])
  expect(dropped.map(({ draft, reason }) => [draft.text, reason])).toEqual([
    ['What harbour?', 'nothing is left without the words of its gold'],
    ['Which harbour master?', 'nothing is left without the words of its gold'],
  ])
})

test.each([
  ['Who tells the harbour master?', 'Who tells the master?'],
  ['When does tide meet master of Harbour (HARBOUR)?', 'When does tide meet of?'],
  ['Sailors hear the tide, the bell .', 'Sailors hear the tide, the.'],
  ['Do sailors sleep?', 'Do sailors sleep?'],
])('of %j stays %j', (question, expected) => {
  expect(reworded(question).drafts.map(({ text }) => text)).toEqual([expected])
})

test('a paraphrase has synonyms for the words of the gold alone', () => {
  const text = 'Delete it. Remove the folder now. Find it.'
  const gold = [{ documentId: 'd', start: 11, end: 33 }]
  const paraphrased = (question: string) => {
    const { drafts, dropped } = rewordDrafts(
      [{ ...draft(question), gold }] as never,
      'paraphrased',
      new Map([['d', text]]),
    )
    return drafts[0]?.text ?? dropped[0].reason
  }
  expect(paraphrased('How do I Remove a folder, or find and delete it?')).toBe(
    'How do I delete a directory, or find and delete it?',
  )
  expect(paraphrased('Who may find it now?')).toBe('no word of its gold has a synonym here')
})
