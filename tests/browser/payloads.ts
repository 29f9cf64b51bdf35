import { readFileSync } from 'node:fs'

/**
 * Hostile texts: what would run, ask, break out, hide or overflow if a page took it for more than text. Each that could run
 * sets `window.broken`; each that could ask names `evil.example`.
 */
export const PAYLOADS: readonly string[] = JSON.parse(
  readFileSync(new URL('../golden/hostile/texts.json', import.meta.url), 'utf8'),
)

/** Adds a payload to each text, the same to equal texts, in turn; texts that pages show in full get all of them. */
export function hostile(): (text: string) => string {
  const placeByText = new Map<string, string>()
  return (text) => {
    const place = placeByText.size
    const tainted =
      placeByText.get(text) ??
      (text.endsWith('.')
        ? [text, ...PAYLOADS].join(' \n\n ')
        : `${text} ${PAYLOADS[place % PAYLOADS.length]}`)
    placeByText.set(text, tainted)
    return tainted
  }
}
