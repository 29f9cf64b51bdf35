import { withoutInvisible } from './characters.ts'
import { UNSPACED_CHARACTERS } from './scripts.ts'

/**
 * SQuAD's normalisation of answers (Rajpurkar et al., EMNLP 2016): lower case, without punctuation and the articles a,
 * an, the, single spaces. Equal to the official script on ASCII; beyond it by Unicode's classes.
 */
export function normaliseAnswer(text: string): string {
  return withoutInvisible(text)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(ARTICLE, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const ARTICLE = /(?<![\p{L}\p{M}\p{N}])(?:a|an|the)(?![\p{L}\p{M}\p{N}])/gu

const UNSPACED = new RegExp(`([${UNSPACED_CHARACTERS}])`, 'gu')

/**
 * The words of an answer as SQuAD and MRQA compare them: normalised, cut at white space; in scripts without spaces each
 * character is a word, as in MLQA (Lewis et al., ACL 2020).
 */
export function answerWords(text: string): string[] {
  return cutAtSpaces(normaliseAnswer(text))
}

/**
 * Words that ROUGE compares, without stemming: runs of letters and digits in lower case; in scripts without spaces each
 * character. On ASCII those of Google's `rouge_score`.
 */
export function rougeWords(text: string): string[] {
  return cutAtSpaces(
    withoutInvisible(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '),
  )
}

function cutAtSpaces(text: string): string[] {
  return text.replace(UNSPACED, ' $1 ').split(/\s+/).filter(Boolean)
}

/** The answers that a text could contain, as words: yes and no are none, nor is what normalises to nothing. */
export function containableAnswers(answers: readonly string[]): string[] {
  const phrases = answers
    .map((answer) => answerWords(answer).join(' '))
    .filter((answer) => !['', 'yes', 'no', 'noanswer'].includes(answer))
  return [...new Set(phrases)]
}

export function containsAnswer(words: string, answers: readonly string[]): boolean {
  const padded = ` ${words} `
  return answers.some((answer) => padded.includes(` ${answer} `))
}
