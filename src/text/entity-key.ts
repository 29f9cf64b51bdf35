import { withoutInvisible } from './characters.ts'
import { UNSPACED_CHARACTERS } from './scripts.ts'

/**
 * Key of an entity: NFC, visible characters, lower case, runs of signs as one space. HippoRAG's form, extended to all letters. An
 * empty key is no entity.
 */
export function entityKey(name: string): string {
  return withoutInvisible(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

const UNSPACED_LETTER = new RegExp(`[${UNSPACED_CHARACTERS}]\\p{M}*`, 'gu')

/** Entity key in which every letter of a script without spaces is a word: a name is found inside a sentence. */
export function spacedKey(text: string): string {
  return entityKey(text).replace(UNSPACED_LETTER, ' $& ').replace(/ {2,}/g, ' ').trim()
}

const BETWEEN_UNSPACED = new RegExp(`(?<=[${UNSPACED_CHARACTERS}]\\p{M}*) (?=[${UNSPACED_CHARACTERS}])`, 'gu')

/** Spaced key as it is written: without the spaces inside words of a script that has none. */
export function writtenKey(key: string): string {
  return key.replace(BETWEEN_UNSPACED, '')
}
