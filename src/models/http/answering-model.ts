import type { Server } from './server.ts'

/** The name of the model that answered. Throws a UserError if it is another one than asked for; some servers name none. */
export function answeringModel(given: unknown, answersAs: string, { stop }: Pick<Server, 'stop'>): string {
  if (typeof given !== 'string' || given === '') return answersAs
  // Some servers name a model by its file, whose path only they know.
  const named = /^([A-Za-z]:)?[\\/]/.test(given) ? given.replace(/^.*[\\/]/, '') : given
  if (!isSameModel(answersAs, named))
    throw stop(
      `answered as \`${named}\`, asked for \`${answersAs}\`; if that is right, write \`answersAs: ${named}\``,
    )
  return named
}

/** A dated name answers for the plain one, and any for one that ends in `-latest`. */
export function isSameModel(asked: string, given: string): boolean {
  const plain = (name: string) => name.replace(/^models\//, '').replace(/-latest$/, '')
  const [name, rest] = [plain(asked), plain(given)]
  return rest === name || (rest.startsWith(name) && /^[-@][\d-]+$/.test(rest.slice(name.length)))
}
