import type { CutSummary, IndexSummary } from '../results/summary.ts'
import { percent, quantity } from './numbers.ts'

/** A line for each model and kind of text of which it reads only the beginning, with what helps. */
export function cutTextLines(indexes: readonly Pick<IndexSummary, 'name' | 'cut'>[]): string[] {
  return indexes.flatMap(({ name, cut = [] }) =>
    cut.map(
      (one) => `${lossOf(one)}${indexes.length > 1 ? ` (${name})` : ''}. ${REMEDIES[one.what] ?? OTHER}`,
    ),
  )
}

function lossOf({ what, paired, model, limit, texts, cut, tokens, unread }: CutSummary): string {
  const are = cut === 1 ? 'is' : 'are'
  const reads = `the ${quantity(limit)} tokens that ${model} reads${paired ? ' of a chunk and a query of median length together' : ''}`
  return `${quantity(cut)} of ${quantity(texts)} ${what.replaceAll('_', ' ')} ${are} longer than ${reads}; ${percent(unread / tokens, 0)} % of their ${quantity(tokens)} tokens are not read`
}

const OTHER = 'A higher `maxTokens` helps if the model was trained for it.'

const REMEDIES: Readonly<Record<string, string>> = {
  chunks:
    'Use smaller chunks (`prepare.chunk`), or index small units of them (`prepare.index: {tokens: {size: 128}}`).',
  queries: 'The end of these queries has no effect. Use a model that reads longer texts, or a `rewrite`.',
}
