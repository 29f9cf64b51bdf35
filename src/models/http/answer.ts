import { readBody } from './body.ts'
import { Broken, type Server } from './server.ts'

const MEGABYTE = 2 ** 20
const LONGEST_ANSWER = 256 * MEGABYTE

/** Throws a FailedRequest for more than 256 MB, a Broken for invalid JSON. */
export async function readJson(response: Response, server: Server): Promise<unknown> {
  const { text, whole } = await readBody(response, LONGEST_ANSWER)
  if (!whole) throw server.fail(`answered more than ${LONGEST_ANSWER / MEGABYTE} MB; the rest was not read`)
  return parseAnswer(text, server)
}

export function parseAnswer(text: string, { quote }: Pick<Server, 'quote'>): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Broken(`answered with invalid JSON: ${quote(text)}`)
  }
}

/** Last path segments that servers give to any model: Hugging Face's endpoints, SageMaker, containers. */
const NAMELESS = new Set(['', 'repository', 'model', 'models', 'data'])

/**
 * Name of the model that answered; some servers give none. Throws a UserError if it is another one than asked for.
 */
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

/** Some servers name a model by its file or folder. */
function withoutFolder(name: string): string {
  return /^([A-Za-z]:)?[\\/]/.test(name)
    ? name.replace(/(?<![\\/])[\\/]+$/, '').replace(/^.*[\\/]/, '')
    : name
}

/**
 * True if one name stands for the other: in any case, without an owner, with a date or version, or as `-latest`.
 */
function isSameModel(requested: string, named: string): boolean {
  const segments = (name: string) =>
    withoutFolder(name)
      .toLowerCase()
      .replace(/^models\//, '')
      .replace(/-latest$/, '')
      .split('/')
  const [ours, theirs] = [segments(requested), segments(named)]
  const shared = Math.min(ours.length, theirs.length)
  const [name, rest] = [ours, theirs].map((parts) => parts.slice(-shared).join('/'))
  return rest === name || (rest.startsWith(name) && /^(?:[-@][\d-]+|-v\d+)$/.test(rest.slice(name.length)))
}
