/** Codes of texts, in the order in which they were first met. */
interface WordCodes {
  readonly words: readonly string[]
  codeOf(word: string): number
}

export function createWordCodes(): WordCodes {
  const words: string[] = []
  const codes = new Map<string, number>()
  return {
    words,
    codeOf(word) {
      const code = codes.get(word) ?? words.push(word) - 1
      codes.set(word, code)
      return code
    },
  }
}
