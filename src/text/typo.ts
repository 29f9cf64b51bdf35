/** Draws whole numbers from 0 to n - 1, each as likely. */
type Below = (n: number) => number

/** The single errors that most misspellings are (Damerau, CACM 1964), in the order in which they are tried. */
const ERRORS = ['swap', 'delete', 'insert', 'replace'] as const

/**
 * A word with one error of typing: two adjacent letters swapped, a letter left out, put in or replaced. Which one and where
 * is drawn; what is put in is drawn from `alphabet`, so that a word keeps its script. The word that comes out is another
 * one and not empty: an error that would leave it as it was gives way to the next. Letters are code points.
 */
export function misspell(word: string, alphabet: readonly string[], below: Below): string {
  const letters = Array.from(word)
  // Always as many draws, whatever the word: what is drawn for the next word does not depend on this one.
  const [error, where, which] = [below(ERRORS.length), below(2 ** 32), below(2 ** 32)]
  for (let turn = 0; turn < ERRORS.length; turn++) {
    const ways = waysTo(ERRORS[(error + turn) % ERRORS.length], letters, alphabet)
    if (ways.length > 0) return ways[where % ways.length](which).join('')
  }
  return word
}

type Letters = readonly string[]
type Way = (which: number) => Letters

/** The places where an error changes a word, as functions of what is put in there. */
function waysTo(error: (typeof ERRORS)[number], letters: Letters, alphabet: Letters): Way[] {
  const indexes = [...letters.keys()]
  const withOut = (at: number, count: number, into: Letters) => [
    ...letters.slice(0, at),
    ...into,
    ...letters.slice(at + count),
  ]
  switch (error) {
    case 'swap':
      return indexes
        .filter((at) => at + 1 < letters.length && letters[at] !== letters[at + 1])
        .map((at) => () => withOut(at, 2, [letters[at + 1], letters[at]]))
    case 'delete':
      return letters.length < 2 ? [] : indexes.map((at) => () => withOut(at, 1, []))
    case 'insert':
      return alphabet.length === 0
        ? []
        : [...indexes, letters.length].map(
            (at) => (which) => withOut(at, 0, [alphabet[which % alphabet.length]]),
          )
    case 'replace':
      return indexes.flatMap((at): Way[] => {
        const others = alphabet.filter((letter) => letter !== letters[at])
        return others.length > 0 ? [(which) => withOut(at, 1, [others[which % others.length]])] : []
      })
  }
}
