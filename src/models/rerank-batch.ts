import { sha256 } from '../store/hash.ts'
import type { Usage } from './chat/chat-model.ts'
import { FailedRequest } from './http/server.ts'

export interface Scores {
  /** In the order of the passages. */
  readonly scores: readonly number[]
  readonly usage: Usage | null
  /** Passages of which only the beginning was read. */
  readonly cut: number
}

type Ask = (query: string, passages: readonly string[], signal?: AbortSignal) => Promise<Scores>

/** Passages whose probe is remembered, at about 100 bytes each. */
const MOST_PROBED = 100_000
const SHORTEST_QUERY = 'a'

function isRefusal(error: unknown): error is FailedRequest {
  return error instanceof FailedRequest && error.refused
}

/**
 * Asks for the scores of a batch. Passages that `askWhole` is refused alone, now or before, are asked together by `askCut` and
 * counted.
 */
export function countingCut(askWhole: Ask, askCut: Ask): Ask {
  /** True if a passage, by its hash, is refused with any query. */
  const probed = new Map<string, boolean>()
  /** Bytes of the shortest passage that is refused with any query. */
  let shortestRefused = Number.POSITIVE_INFINITY

  /** Asks for a passage with the shortest query: a longer query leaves it less space. */
  async function probe(passage: string, signal?: AbortSignal): Promise<void> {
    const hash = sha256(passage)
    if (probed.has(hash) || probed.size >= MOST_PROBED) return
    try {
      await askWhole(SHORTEST_QUERY, [passage], signal)
      probed.set(hash, false)
    } catch (error) {
      if (!(error instanceof FailedRequest)) throw error
      probed.set(hash, error.refused)
      if (error.refused) shortestRefused = Math.min(shortestRefused, Buffer.byteLength(passage))
    }
  }

  async function askBatch(query: string, passages: readonly string[], signal?: AbortSignal): Promise<Scores> {
    const scores = new Array<number>(passages.length)
    const usages: (Usage | null)[] = []
    const at = (ask: Ask) => async (positions: readonly number[]) => {
      const texts = positions.map((position) => passages[position])
      const part = await ask(query, texts, signal)
      positions.forEach((position, i) => {
        scores[position] = part.scores[i]
      })
      usages.push(part.usage)
    }
    for (const passage of passages)
      if (Buffer.byteLength(passage) >= shortestRefused) await probe(passage, signal)
    const isKnown = passages.map((passage) => probed.get(sha256(passage)) === true)
    const positions = Array.from(passages.keys())
    const cut = positions.filter((position) => isKnown[position])
    const refused: number[] = []
    await askInHalves(
      positions.filter((position) => !isKnown[position]),
      at(askWhole),
      async (position) => {
        // If the first is refused for another reason than its length, so are the others.
        if (refused.length === 0) await at(askCut)([position])
        else cut.push(position)
        refused.push(position)
      },
    )
    await askInHalves(cut, at(askCut), async (_, error) => {
      throw error
    })
    for (const position of refused) await probe(passages[position], signal)
    return { scores, usage: sumOf(usages), cut: isKnown.filter(Boolean).length + refused.length }
  }

  return askBatch
}

/** Asks in halves if passages are refused. `refusedAlone` gets the position of each that is refused alone, and the error. */
async function askInHalves(
  positions: readonly number[],
  askAt: (positions: readonly number[]) => Promise<void>,
  refusedAlone: (position: number, error: FailedRequest) => Promise<void>,
): Promise<void> {
  if (positions.length === 0) return
  try {
    await askAt(positions)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (positions.length === 1) return refusedAlone(positions[0], error)
    const half = Math.ceil(positions.length / 2)
    await askInHalves(positions.slice(0, half), askAt, refusedAlone)
    await askInHalves(positions.slice(half), askAt, refusedAlone)
  }
}

/** Null where the server counts nothing. */
export function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  const counted = usages.flatMap((usage) => usage ?? [])
  if (counted.length < usages.length || counted.length === 0) return null
  const searches = counted.reduce((sum, usage) => sum + (usage.searches ?? 0), 0)
  const input = counted.reduce((sum, usage) => sum + usage.input, 0)
  return { input, output: 0, ...(searches > 0 && { searches }) }
}
