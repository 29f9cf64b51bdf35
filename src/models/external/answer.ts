import { rankPairs } from '../../ranking/order.ts'
import { isMap } from '../../text/json.ts'
import type { Ranking } from '../../types.ts'

/** Reply of another system to a query. */
export interface Reply extends Ranking {
  readonly counters: Readonly<Record<string, number>>
}

/** Counters that Touchstone itself keeps, by name and by what a name begins with. */
const TAKEN: ReadonlySet<string> = new Set(['retrieved', 'tokens', 'evidenceTokens', 'linked'])

/** A line of a system as a message. Throws in words where it is none. */
export function parseMessage(line: string): Readonly<Record<string, unknown>> & { readonly type: string } {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    throw new Error(`wrote a line that is not JSON: ${quoted(line)}`)
  }
  if (!isMap(message) || typeof message.type !== 'string')
    throw new Error(`wrote a line that is not a message with a \`type\`: ${quoted(line)}`)
  return message as Readonly<Record<string, unknown>> & { type: string }
}

/**
 * Reads a `ranking` message: rows, best first, at most `depth`, in any order in the message. Throws for an unknown
 * chunk, a score that is no finite number, or a chunk that occurs twice.
 */
export function readReply(
  message: Readonly<Record<string, unknown>>,
  rowOf: ReadonlyMap<string, number>,
  depth: number,
): Reply {
  const { ranking, counters = {} } = message
  if (!Array.isArray(ranking)) throw new Error('answered without a `ranking`, a list of [chunk id, score]')
  const scores = new Map<number, number>()
  for (const entry of ranking as readonly unknown[]) {
    const [id, score] = Array.isArray(entry) ? entry : []
    const row = typeof id === 'string' ? rowOf.get(id) : undefined
    if (row === undefined)
      throw new Error(`ranked a chunk that does not exist: ${quoted(JSON.stringify(id ?? entry))}`)
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw new Error(
        `gave ${quoted(String(id))} the score ${quoted(JSON.stringify(score))}, which is not a finite number`,
      )
    if (scores.has(row)) throw new Error(`ranked ${quoted(String(id))} twice`)
    scores.set(row, score)
  }
  return { ...rankPairs([...scores.keys()], [...scores.values()], depth), counters: readCounters(counters) }
}

function readCounters(counters: unknown): Record<string, number> {
  if (!isMap(counters)) throw new Error('answered with `counters` that are not a map of names to numbers')
  for (const [name, amount] of Object.entries(counters)) {
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0)
      throw new Error(
        `counted ${quoted(name)} as ${quoted(JSON.stringify(amount))}, which is not a number from 0`,
      )
    if (TAKEN.has(name)) throw new Error(`counted ${quoted(name)}, which is counted already`)
  }
  return counters as Record<string, number>
}

/** First 100 letters of a foreign text, in one line. */
function quoted(text: string | undefined): string {
  const line = (text ?? 'nothing').replace(/\s+/g, ' ')
  return `\`${line.length > 100 ? `${line.slice(0, 97)}...` : line}\``
}
