import { withoutInvisible } from './fold.ts'

/**
 * Key of an entity; names with equal keys are one entity. Composed (NFC), without invisible characters, lower case, every character outside letters and digits becomes a space, runs of
 * spaces become one, trimmed. HippoRAG's form (Gutiérrez et al., NeurIPS 2024), extended from ASCII to all letters.
 * An empty key is no entity.
 */
export function entityKey(name: string): string {
  return withoutInvisible(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
