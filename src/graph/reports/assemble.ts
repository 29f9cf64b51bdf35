import { createHash } from 'node:crypto'
import { countTokens } from '../../text/tokens.ts'
import type { Communities, Reports } from '../graph.ts'
import { type Report, reportBlocks } from './define.ts'

/** Reports as columns, with their whole texts and what these cost. */
export function assembleReports(reports: readonly Report[], { ids }: Communities): Reports {
  const tokensOf = createBlockCounter()
  const blocks = reports.map(reportBlocks)
  return {
    size: reports.length,
    ids: reports.map(({ community }) =>
      createHash('sha256').update(`report\0${ids[community]}`).digest('hex').slice(0, 32),
    ),
    communities: Uint32Array.from(reports, ({ community }) => community),
    titles: reports.map(({ title }) => title),
    summaries: reports.map(({ summary }) => summary),
    contents: blocks.map((list) => list.join('\n\n')),
    ranks: Float64Array.from(reports, ({ rank }) => rank),
    tokens: Uint32Array.from(blocks, tokensOf),
  }
}

/**
 * The o200k tokens of blocks joined by blank lines. A token never goes on behind a line break into a letter or `#`, so
 * the blocks' counts add up, each with the blank line behind it; a sentence that stands in the reports of many levels
 * is counted once. A block that begins otherwise is counted together with the whole.
 */
function createBlockCounter(): (blocks: readonly string[]) => number {
  const counted = new Map<string, number>()
  return (blocks) => {
    if (!blocks.every((block) => /^[\p{L}\p{N}#]/u.test(block))) return countTokens(blocks.join('\n\n'))
    let sum = 0
    blocks.forEach((block, place) => {
      const text = place === blocks.length - 1 ? block : `${block}\n\n`
      let tokens = counted.get(text)
      if (tokens === undefined) {
        tokens = countTokens(text)
        counted.set(text, tokens)
      }
      sum += tokens
    })
    return sum
  }
}
