import { describe, expect, test } from 'vitest'
import { type Fact, isEntity, type Passage } from '../../scripts/world/model.ts'
import { GROUNDS } from '../../scripts/world/prose/dispute.ts'
import { TROUBLES } from '../../scripts/world/prose/expedition.ts'
import { INCIDENTS } from '../../scripts/world/prose/incidents.ts'
import { FATES } from '../../scripts/world/prose/ship.ts'
import { TERMS } from '../../scripts/world/prose/terms.ts'
import { createAnalyzer, tokenize } from '../../src/text/tokenize.ts'
import { createNamesIn } from './names-in.ts'
import { asked, WORLD } from './quickstart.ts'

/** No question can be answered from a passage that is not its gold: read off the texts, not off the model alone. */
const { block, passages } = WORLD
const namesIn = createNamesIn(Object.values(block.entities).flat())
const named = new Map(passages.map((passage) => [passage, namesIn(`${passage.title}. ${passage.text}`)]))
const terms = createAnalyzer({ stemmer: 'porter2', stopwords: 'english' })
const words = new Map(
  passages.map((passage) => [passage, new Set(tokenize(`${passage.title} ${passage.text}`))]),
)
const wordsOf = (passage: Passage) => words.get(passage) as Set<string>
const holds = ({ text }: Passage, literal: string) =>
  ` ${tokenize(text).join(' ')} `.includes(` ${tokenize(literal).join(' ')} `)

/** The passages that name the subject of a fact beside its object. */
function tellersOf({ subject, object }: Fact): Passage[] {
  return passages.filter((passage) => {
    const names = named.get(passage)
    return names?.has(subject) && (isEntity(object) ? names.has(object) : holds(passage, object))
  })
}

describe('outside the gold', () => {
  test('nobody names both ends of a fact that is asked for', () => {
    const questions = asked('fact', 'bridge2', 'bridge3', 'bridge4', 'comparison', 'relationship')
    expect(questions.length).toBeGreaterThan(100)
    for (const { path, gold, text } of questions) {
      for (const fact of path) {
        const tellers = tellersOf(fact)
        expect(tellers.length, `${text} (${fact.relation})`).toBeGreaterThan(0)
        for (const teller of tellers)
          expect(gold, `${text} (${fact.relation}: ${teller.title})`).toContain(teller)
      }
    }
  })

  test('no passage tells of a theme that is asked for', () => {
    const tellings: Readonly<Record<string, readonly string[]>> = { ...TROUBLES, ...GROUNDS, ...FATES }
    for (const { path, gold, text } of asked('thematic')) {
      const told = tellings[path[0].object as string]
      const tellers = passages.filter((passage) => told.some((telling) => passage.text.includes(telling)))
      expect(new Set(tellers), text).toEqual(new Set(gold))
    }
  })

  test('no passage says what a word means', () => {
    for (const { text, gold } of asked('definition')) {
      const term = TERMS.find(({ question }) => question === text)
      expect(
        passages.filter((passage) => passage.text === term?.meaning),
        text,
      ).toEqual(gold)
      // The word itself is used elsewhere: finding it is not enough.
      expect(
        passages.filter((passage) => passage.text.includes(term?.term as string)).length,
        text,
      ).toBeGreaterThan(1)
    }
  })

  test('nobody says what an unanswerable question asks', () => {
    for (const { text } of asked('unanswerable')) {
      const subjects = [...namesIn(text)]
      const [relation] = /die\?/.test(text)
        ? ['diedIn']
        : /command/.test(text)
          ? ['master']
          : /freight/.test(text)
            ? ['cargo']
            : []
      for (const subject of subjects) {
        if (relation) expect(block.facts.get(subject)?.has(relation as 'diedIn'), text).toBe(false)
      }
      if (text.includes('Third'))
        expect(
          subjects.filter(({ kind }) => kind === 'expedition'),
          text,
        ).toEqual([])
    }
  })
})

describe('a paraphrase', () => {
  const paraphrases = asked('paraphrase')
  const incidentOf = (text: string) => INCIDENTS.find(({ question }) => question === text)

  test('shares no content word with its gold', () => {
    for (const { text, gold } of paraphrases) {
      const told = new Set(terms(`${gold[0].title} ${gold[0].text}`))
      expect(
        terms(text).filter((term) => told.has(term)),
        text,
      ).toEqual([])
    }
  })

  test('speaks in words whose kinship with the gold stands elsewhere, more than once', () => {
    for (const { text, gold } of paraphrases) {
      const incident = incidentOf(text)
      const [said, told] = [new Set(tokenize(text)), wordsOf(gold[0])]
      for (const [chronicle, plain] of incident?.kin ?? []) {
        expect(said.has(plain), `${text}: ${plain}`).toBe(true)
        expect(told.has(chronicle), `${text}: ${chronicle}`).toBe(true)
        const kin = passages.filter(
          (passage) => wordsOf(passage).has(chronicle) && wordsOf(passage).has(plain),
        )
        expect(kin.length, `${chronicle} ${plain}`).toBeGreaterThan(1)
        expect(kin).not.toContain(gold[0])
      }
    }
  })

  test('is answered by nobody else', () => {
    for (const { text, gold, answers } of paraphrases) {
      expect(
        passages.filter((passage) => passage.text.includes(answers[0])),
        text,
      ).toEqual(gold)
    }
  })
})
