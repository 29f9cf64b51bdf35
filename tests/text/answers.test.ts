import { describe, expect, test } from 'vitest'
import { answerWords, containableAnswers, containsAnswer, normaliseAnswer } from '../../src/text/answers.ts'

describe('answers', () => {
  test('are normalised as SQuAD does', () => {
    expect(normaliseAnswer('The  “Old” Bridge, at a River!')).toBe('old bridge at river')
  })
  // Values of `normalize_answer` in SQuAD's own evaluation script.
  test.each([
    ['The Broncos!', 'broncos'],
    ['an-other  a.b the_end', 'another ab theend'],
    ['A\tThe  An', ''],
    ['a1 the2 1a 3 the', 'a1 the2 1a 3'],
    ["don't the-a", 'dont thea'],
    ['theatre, an apple; a: (the)', 'theatre apple'],
    ['THE U.S. $5 a|b <the>', 'us 5 ab'],
    ['_the_ a_ an', ''],
    ['El año de la niña', 'el año de la niña'],
    ["the cat's a-b-c", 'cats abc'],
    ['x', 'x'],
    ['', ''],
    ['a', ''],
    ["Côte d'Azur an der Ölmühle", 'côte dazur der ölmühle'],
    ['Äthe theä éa aé', 'äthe theä éa aé'],
  ])('%j is normalised as by the official script', (text, normalised) => {
    expect(normaliseAnswer(text)).toBe(normalised)
  })
  test('keep their last letter in every script, composed or not', () => {
    expect(normaliseAnswer('¿España?'.normalize('NFD'))).toBe('españa'.normalize('NFC'))
    expect(normaliseAnswer('La mañana, η πόλη a')).toBe('la mañana η πόλη')
  })
  test('are found in texts of scripts without spaces', () => {
    const words = answerWords('他在北京市工作。').join(' ')
    expect(containsAnswer(words, containableAnswers(['北京']))).toBe(true)
    expect(containsAnswer(words, containableAnswers(['京北']))).toBe(false)
  })
  test('are found as whole words', () => {
    const text = normaliseAnswer('It carries salt; in 1843 the tax ended.')
    expect(containsAnswer(text, ['salt'])).toBe(true)
    expect(containsAnswer(text, ['1843 tax'])).toBe(true)
    expect(containsAnswer(text, ['sal', '184'])).toBe(false)
  })
})
