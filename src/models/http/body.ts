const BEGINNING = 4096

/**
 * Body as text, without a byte order mark. Of more than `limit` decompressed bytes only the beginning is read.
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

/** Data of each event of a stream. Throws an Endless after `limit` bytes. */
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
    // A long line is searched once.
    const ends = halfEnd || /[\r\n]/.test(more)
    halfEnd = more === '' ? halfEnd : more.endsWith('\r')
    if (!ends) continue
    // A CR at the end may be the first half of CR LF.
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
