/** Ids that two files spell in different ways: another Unicode form, other case, `007` or `7.0` for `7`. */

function spellingKey(id: string): string {
  if (isPlain(id)) return id
  // Most ids have no other form of Unicode, and there may be millions.
  const form = ASCII.test(id) ? id : id.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  const plain = form.trim().toLowerCase()
  const whole = plain.replace(/\.0+$/, '')
  return /^\d+$/.test(whole) ? whole.replace(/^0+(?=\d)/, '') : whole
}

/** True for small ASCII letters, signs and digits without a leading 0 or a point: such an id is its own key. */
function isPlain(id: string): boolean {
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    if (code <= 32 || code > 126 || code === 46 || (code >= 65 && code <= 90)) return false
  }
  return !id.startsWith('0')
}

const ASCII = /^[\x20-\x7e]*$/

interface OtherSpellings {
  readonly count: number
  /** The first of them and the known id that it spells. */
  readonly example: string
}

/** Ids that are not known, and are another spelling of a known id that does not occur itself; undefined if there is none. */
export function otherSpellings(ids: Iterable<string>, known: Iterable<string>): OtherSpellings | undefined {
  const all = new Set(known)
  const byKey = new Map<string, string[]>()
  for (const id of all) byKey.set(spellingKey(id), [...(byKey.get(spellingKey(id)) ?? []), id])
  const present = new Set<string>()
  const unknown = new Set<string>()
  for (const id of ids)
    if (all.has(id)) present.add(id)
    else if (byKey.has(spellingKey(id))) unknown.add(id)
  const absentOf = (id: string) => byKey.get(spellingKey(id))?.findLast((other) => !present.has(other))
  const misspelt = [...unknown].filter((id) => absentOf(id) !== undefined)
  if (misspelt.length === 0) return undefined
  const [first] = misspelt
  const other = absentOf(first) ?? ''
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
