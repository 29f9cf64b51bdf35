import { isMap } from '../text/json.ts'
import { sha256 } from './hash.ts'

/** Key of a JSON file that holds the SHA-256 of everything else in it. */
export const SEAL = 'sha256'

/** JSON text of an object with the SHA-256 of its content as its last key. */
export function sealed(value: object): string {
  return `${JSON.stringify({ ...value, [SEAL]: sha256(JSON.stringify(value)) }, null, 2)}\n`
}

/**
 * Content of a parsed file without its SHA-256; undefined if the two do not match, and the content itself if it has none.
 */
export function unsealed(value: unknown): unknown {
  if (!isMap(value) || !Object.hasOwn(value, SEAL)) return value
  const { [SEAL]: seal, ...content } = value
  return seal === sha256(JSON.stringify(content)) ? content : undefined
}
