/** At most `limit` bytes of a body as text; the rest is not taken from the server. */
export async function readText(
  { body }: Response,
  limit: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    size += piece.length
    if (size > limit) break
  }
  return { text: Buffer.concat(pieces).toString('utf8', 0, limit), whole: size <= limit }
}

/**
 * The data of each event of a stream of server-sent events (text/event-stream), as they come. What names, ids and
 * comments say is not read: every provider repeats in the data what matters. An event that the stream breaks off in is
 * not given, nor any past `limit` bytes.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents({ body }: Response, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > limit) return
    rest += decoder.decode(piece, { stream: true })
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
