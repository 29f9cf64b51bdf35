import { describe, expect, it } from 'vitest'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { expressionsOf, sourceQuery } from '../../../src/retrieve/step.ts'
import { filterRetrieved } from '../../../src/retrieve/steps/trial.ts'
import type { Ranking } from '../../../src/types.ts'
import { documents } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { names, prepare, recipe, retrieved } from './prepared.ts'

async function hop(text: string, options: Record<string, unknown>, where?: Record<string, string[]>) {
  const output = retrieved('multi-hop', { hopChunks: 1, judge: 'rules', ...options })
  const filter = where && { where, statistics: 'corpus' as const }
  const { ranking } = filter ? filterRetrieved(output, sourceQuery(recipe), filter) : output
  const memo = createMemo(
    await prepare(temporaryFolder(), [ranking]),
    [{ id: 'q', text, metadata: {} }],
    () => 0,
  )
  const [cell] = await memo.cells(ranking)
  if (cell?.failure) throw new Error(cell.failure.message)
  const facts = memo.facts([ranking], 0)
  const marks = Object.fromEntries([...facts.marks].map(([row, words]) => [documents[row].id, words]))
  const titles = names(cell?.value as Ranking, 4).split(' ')
  return { ...facts, found: titles, marks, computed: memo.computed, expressions: expressionsOf([ranking]) }
}

it('looks up by heading what the question names and no chunk so far is of', async () => {
  const { found, marks, notes, counters } = await hop(
    'Was the Brine tax paid by Dara Quill of the Harbour Guild, and on the Voss Chart?',
    { hopChunks: 2, maxHops: 1 },
  )
  const missing = notes['hop 1 missing_query']
  expect(notes['hop 1 can_answer']).toBe('no')
  expect(notes['hop 1 reasoning']).toContain('named, and no chunk of it')
  expect(missing).not.toBe('')
  expect(found).toEqual(expect.arrayContaining(['brine', 'chart', 'dara']))
  expect(Object.values(marks).filter((mark) => mark === 'hop 0')).toHaveLength(2)
  expect(Object.values(marks)).toContain('hop 1, heading 0.99')
  expect(counters).toMatchObject({ hops: 1, byHeading: 2, hopChunks: 2 })
})

describe('the verdict of a judge by rules', () => {
  it('names titles without a chunk, then words that no chunk so far has; a comma in a word parts no names', async () => {
    const text = 'Was the Brine tax paid by Dara Quill of the Harbour Guild, and on the Voss Chart?'
    expect(await hop(text, { maxHops: 1 })).toMatchObject({
      notes: {
        'hop 1 can_answer': 'no',
        'hop 1 reasoning':
          'named, and no chunk of it: dara quill; harbour guild; voss chart. in no chunk: Dara Quill Harbour Guild, Voss Chart?',
        'hop 1 missing_query': 'dara quill, harbour guild, voss chart, Dara Quill Harbour Guild Voss Chart?',
        'query after ask-unmatched': 'Dara Quill Harbour Guild Voss Chart?',
      },
      marks: { brine: 'hop 0', guild: 'hop 1, heading 0.99' },
      counters: { hops: 1, hopChunks: 1, byHeading: 1 },
    })
  })

  it('with `links` adds the three titles that are linked most rarely to the chunks so far', async () => {
    const text = 'Who was the aunt of Dara Quill?'
    const { notes, marks, counters } = await hop(text, { judge: 'links', hopChunks: 2, maxHops: 1 })
    // Ines Karrow was master of the guild and cast the bell; Dara Quill captained the Heron.
    expect(notes).toEqual({
      'hop 1 can_answer': 'no',
      'hop 1 reasoning': 'linked: Harbour Guild; Bell House; Heron (ship)',
      'hop 1 missing_query': 'Harbour Guild, Bell House, Heron (ship)',
    })
    expect(marks).toEqual({
      ines: 'hop 0',
      dara: 'hop 0',
      heron: 'hop 1, heading 0.99',
      guild: 'hop 1, heading 0.99',
    })
    expect(counters).toMatchObject({ hops: 1, hopChunks: 2, byHeading: 2 })
  })
})
