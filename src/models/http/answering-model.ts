import type { Server } from './server.ts'

/** Last segments of paths that servers give to any model: those of Hugging Face's endpoints, SageMaker and containers. */
const NAMELESS = new Set(['', 'repository', 'model', 'models', 'data'])

/** The name of the model that answered. Throws a UserError if it is another one than asked for; some servers name none. */
export function answeringModel(reported: unknown, answersAs: string, { stop }: Pick<Server, 'stop'>): string {
  if (typeof reported !== 'string' || reported === '') return answersAs
  const named = withoutFolder(reported)
  if (named !== reported && NAMELESS.has(named.toLowerCase())) return answersAs
  if (!isSameModel(answersAs, named))
    throw stop(
      `answered as \`${named}\`, asked for \`${answersAs}\`; if that is right, write \`answersAs: ${named}\``,
    )
  return named
}

/** Some servers name a model by its file or folder, whose absolute path only they know. */
function withoutFolder(name: string): string {
  return /^([A-Za-z]:)?[\\/]/.test(name)
    ? name.replace(/(?<![\\/])[\\/]+$/, '').replace(/^.*[\\/]/, '')
    : name
}

/**
 * True if one name stands for the other. The case of letters does not count, nor an owner that only one of them has
 * (`owner/name`). A dated name or a version (`-v2`) answers for the plain name, and any of them for one that ends in `-latest`.
 */
export function isSameModel(asked: string, named: string): boolean {
  const segments = (name: string) =>
    withoutFolder(name)
      .toLowerCase()
      .replace(/^models\//, '')
      .replace(/-latest$/, '')
      .split('/')
  const [ours, theirs] = [segments(asked), segments(named)]
  const shared = Math.min(ours.length, theirs.length)
  const [name, rest] = [ours, theirs].map((parts) => parts.slice(-shared).join('/'))
  return rest === name || (rest.startsWith(name) && /^(?:[-@][\d-]+|-v\d+)$/.test(rest.slice(name.length)))
}
