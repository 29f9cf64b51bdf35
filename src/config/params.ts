import type { z } from 'zod'

export type PathParam = true | 'maybe' | 'words'

/**
 * Which params name files: `path` always, others where their schema says so by `.meta({ path: true })`, or by
 * `.meta({ path: 'maybe' })` where a name (as of a model on a hub) may stand as well, or by `.meta({ path: 'words' })`
 * where it is a list of a command's words.
 */
export function pathParams(params: z.ZodObject): ReadonlyMap<string, PathParam> {
  const found = new Map<string, PathParam>()
  for (const [name, schema] of Object.entries(params.shape)) {
    const path = layers(schema as z.ZodType)
      .map((layer) => layer.meta?.()?.path)
      .find((meta) => meta === true || meta === 'maybe' || meta === 'words')
    if (path || name === 'path') found.set(name, (path as PathParam | undefined) ?? true)
  }
  return found
}

/** Whether a param takes whole numbers only. */
export function isWholeParam(params: z.ZodObject, name: string): boolean {
  const schema = params.shape[name] as z.ZodType | undefined
  return (
    schema !== undefined &&
    layers(schema).some((layer) => (layer.def as { format?: string }).format === 'safeint')
  )
}

/** A schema and what it wraps: the inside of `.optional()`, `.default()`, `.nullable()` and so on. */
export function layers(schema: z.ZodType): z.ZodType[] {
  const inner = (schema.def as { innerType?: z.ZodType }).innerType
  return inner ? [schema, ...layers(inner)] : [schema]
}
