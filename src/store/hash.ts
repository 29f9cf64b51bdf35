import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'

/**
 * JSON with sorted keys and without undefined values: equal content gives equal text. Throws on values without a JSON
 * form, such as NaN, functions and Maps.
 */
export function canonical(value: Json | object | undefined): string {
  if (value === undefined) return 'null'
  if (!isJson(value)) throw new Error(`${kindOf(value)} has no JSON form`)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) {
    let items = ''
    for (let at = 0; at < value.length; at++) items += `${at > 0 ? ',' : ''}${canonical(value[at])}`
    return `[${items}]`
  }
  const entries = Object.entries(value as Record<string, Json | undefined>).filter(
    ([, item]) => item !== undefined,
  )
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null || Array.isArray(value)) return true
  const made = Object.getPrototypeOf(value)
  // A plain object of another realm has an Object prototype of its own.
  return made === null || (Object.getPrototypeOf(made) === null && made.constructor?.name === 'Object')
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  return `a ${(value as object).constructor?.name || 'class instance'}`
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

const BLOCK = 2 ** 20

export function sha256File(path: string): string {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafeSlow(BLOCK)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const read = readSync(file, block)
      if (read === 0) return hash.digest('hex')
      hash.update(block.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

export function hashOf(value: Json | object): string {
  return sha256(canonical(value))
}

export const SEAL = 'sha256'

/** JSON text of an object with the SHA-256 of its content as its last key. */
export function sealed(value: object): string {
  return `${JSON.stringify({ ...value, [SEAL]: sha256(JSON.stringify(value)) }, null, 2)}\n`
}

/** Content without its SHA-256; undefined if the two do not match. A value without one is returned as it is. */
export function unsealed(value: unknown): unknown {
  if (!isMap(value) || !Object.hasOwn(value, SEAL)) return value
  const { [SEAL]: seal, ...content } = value
  return seal === sha256(JSON.stringify(content)) ? content : undefined
}
