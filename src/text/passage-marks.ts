/** Text made safe between marks of a prompt: it can neither close them nor open others. */
export function withoutMarks(text: string): string {
  return text.replace(BRACKET, (bracket: string, at: number) => {
    const after = text.slice(at + bracket.length, at + bracket.length + LOOKED_AT)
    return MARK.test(plainLetters(after)) ? '‹' : bracket
  })
}

/** Characters and entities that a model may read as the beginning of a mark. */
const BRACKET = /[<＜﹤]|&(?:lt|LT|#0*60|#[xX]0*3[cC]);?/g
const MARK = /^\s*(?:[/\\⁄∕]\s*)?(?:passage|document|groups|user-context)\b/
/** Code units behind a bracket, including invisible characters between letters. */
const LOOKED_AT = 120

/** Letters of other scripts that look like those of the marks' names. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  о: 'o',
  р: 'p',
  ѕ: 's',
  х: 'x',
  т: 't',
  м: 'm',
  ո: 'n',
  ց: 'g',
  α: 'a',
  ϲ: 'c',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ɡ: 'g',
  ɑ: 'a',
  '‐': '-',
  '‑': '-',
}

function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}]|(?!\s)\p{Cc}/gu, '')
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => LOOKALIKES[letter] ?? letter)
}

/** Citations of passages in an answer: `[2]` and `[1, 3]`, also as `[Passage 2]`, `[^2]` and `【2†source】`. The group holds the numbers. */
export const CITATION =
  /(?<!\s)\s*[[【](?:\^|(?:passages?|sources?|documents?)\s*)?(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)(?:†[^\]】\n]{0,100})?[\]】]/gi
