/** Keys and list places from the top of the config: `['trials', 2, 'hybrid', 'alpha']`. */
export type Path = readonly (string | number)[]

/** A mistake before its place in the file is known. */
export interface Problem {
  readonly path: Path
  /** What to point at: the key, or what stands there (the default). */
  readonly on?: 'key' | 'value'
  readonly message: string
}

/** `prepare.chunk`, `trials.2.hybrid`. */
export function showPath(path: Path): string {
  return path.join('.')
}

/** Whether `path` is `prefix` or lies below it. */
export function isWithin(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => String(part) === String(path[index]))
}

/** Whether a config value is a map. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
