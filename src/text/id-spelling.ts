/** Ids that two files spell in different ways: another Unicode form, other case, `007` or `7.0` for `7`. */

function spellingKey(id: string): string {
  // Most ids have no other form of Unicode, and there may be millions.
  const form = ASCII.test(id) ? id : id.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  const plain = form.trim().toLowerCase()
  const whole = plain.replace(/\.0+$/, '')
  return /^\d+$/.test(whole) ? whole.replace(/^0+(?=\d)/, '') : whole
}

const ASCII = /^[\x20-\x7e]*$/

interface OtherSpellings {
  readonly count: number
  /** The first of them and the known id that it spells. */
  readonly example: string
}

/** Ids that are not known, and are another spelling of a known id that does not occur itself; undefined if there is none. */
export function otherSpellings(ids: Iterable<string>, known: Iterable<string>): OtherSpellings | undefined {
  const present = new Set(ids)
  const absent = new Map<string, string>()
  const all = new Set(known)
  for (const id of all) if (!present.has(id)) absent.set(spellingKey(id), id)
  if (absent.size === 0) return undefined
  const misspelt = [...present].filter((id) => !all.has(id) && absent.has(spellingKey(id)))
  if (misspelt.length === 0) return undefined
  const [first] = misspelt
  const other = absent.get(spellingKey(first)) ?? ''
  const example =
    first.normalize('NFKC') === other.normalize('NFKC')
      ? `${escaped(first)} for ${escaped(other)}`
      : `\`${first}\` for \`${other}\``
  return { count: misspelt.length, example }
}

function escaped(id: string): string {
  return JSON.stringify(id).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
