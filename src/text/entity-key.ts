import { withoutInvisible } from './fold.ts'

/**
 * Key of an entity; names with equal keys are one entity. The name is composed (NFC), stripped of invisible characters and
 * lowercased; runs of characters other than letters and digits become one space, none at the ends. HippoRAG's form
 * (Gutiérrez et al., NeurIPS 2024), extended from ASCII to all letters. A name with an empty key is no entity.
 */
export function entityKey(name: string): string {
  return withoutInvisible(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
