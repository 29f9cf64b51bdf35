import { basename } from 'node:path'
import type { Choice } from '../indexes/recipe.ts'
import { canonical } from '../store/hash.ts'
import type { Json } from '../types.ts'

/** A choice in a name or a table: `lsa`, `tokens(size=128)`; paths by their last part. */
export function choiceLabel(
  { name, params }: Choice,
  shown: readonly string[] = Object.keys(params),
): string {
  const parts = shown
    .filter((param) => param in params)
    .map((param) => `${param}=${valueLabel(params[param])}`)
  return parts.length > 0 ? `${name}(${parts.join(',')})` : name
}

/** A value in a name: without spaces, so that a name can be read apart at its spaces. */
export function valueLabel(value: Json | undefined): string {
  const text =
    typeof value === 'string'
      ? /^(\/|[A-Za-z]:[\\/])/.test(value)
        ? basename(value)
        : value
      : canonical(value)
  return text.replace(/\s+/g, '_')
}
