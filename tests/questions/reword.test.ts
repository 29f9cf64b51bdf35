import { expect, test } from 'vitest'
import { rewordDrafts } from '../../src/questions/reword.ts'

const TEXT = 'The harbour master rings the tide bell.'
const draft = (text: string) => ({
  ...{ kind: 'heading', text, answer: '', from: ['d'] },
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
