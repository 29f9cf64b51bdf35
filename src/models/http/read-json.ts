import { readBody } from './body.ts'
import { Broken, type Server } from './server.ts'

const MEGABYTE = 2 ** 20
const LONGEST_ANSWER = 256 * MEGABYTE

/** JSON of an answer. Throws a FailedRequest for one of more than 256 MB, a Broken for a text that is no JSON. */
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
