import { expect, it } from 'vitest'
import { countSmallWords, findNames } from '../../../src/corpus/graph/names.ts'

const small = countSmallWords(['some people found music at the river; new things'])
const names = (sentence: string) =>
  findNames(sentence, small).map(
    ({ start, end, kind }) => `${kind === 'date' ? '@' : ''}${sentence.slice(start, end)}`,
  )

it.each([
  ['He moved to New York in 1963.', ['New York', '@1963']],
  ['The University of the South lies in Tennessee.', ['University of the South', 'Tennessee']],
  ['J. K. Rowling met Dr. Smith-Jones & Sons.', ['J. K. Rowling', 'Dr. Smith-Jones & Sons']],
  ['People said that Ada wrote it.', ['Ada']],
  ['Babbage said so.', ['Babbage']],
  ['He died on 11 November 875 or on May 3, 1901.', ['@11 November 875', '@May 3, 1901']],
  ["France's president watched the 1920 Summer Olympics.", ['France', '1920 Summer Olympics']],
  ['Apollo 11 flew in the 1960s, in the 20th century.', ['Apollo 11', '@1960s', '@20th century']],
  ['Élodie and Ángel met.', ['Élodie', 'Ángel']],
  ['nothing here', []],
])('%s', (sentence, expected) => {
  expect(names(sentence)).toEqual(expected)
})
