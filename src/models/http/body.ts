/** First bytes of a response that is too long, for a message. */
const BEGINNING = 4096

/**
 * A body as text, without a byte order mark. One of more than `limit` bytes, counted as they are decompressed, is not
 * whole: its beginning is given, and the rest is not read.
 */
export async function readBody(
  { body }: Response,
  limit: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > limit) {
      const beginning = piece.subarray(0, BEGINNING)
      return { text: (text + decoder.decode(beginning)).slice(0, BEGINNING), whole: false }
    }
    text += decoder.decode(piece, { stream: true })
  }
  return { text: text + decoder.decode(), whole: true }
}

export class Endless extends Error {}

/** Data of each complete event of a stream of server-sent events. Throws an Endless after `limit` bytes. */
export async function* readEvents({ body }: Response, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let size = 0
  let halfEnd = false
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > limit) throw new Endless(`sent more than ${limit} bytes`)
    const more = decoder.decode(piece, { stream: true })
    rest += more
    // A long line is not looked through again with every piece of it.
    const ends = halfEnd || /[\r\n]/.test(more)
    halfEnd = more === '' ? halfEnd : more.endsWith('\r')
    if (!ends) continue
    // A line may end in CR, LF or both; a CR at the end may be the first half of both.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
}
