import { originOfDrafted } from '../text/drafted-origin.ts'
import type { Leaderboard } from './leaderboard-rows.ts'
import { quantity } from './numbers.ts'

/** Prefix of titles and verdicts of a result on a sample; empty otherwise. */
export function sampleTitle({ datasets }: Pick<Leaderboard, 'datasets'>): string {
  const samples = datasets.flatMap(({ sample }) => sample ?? [])
  return samples.length === 0 ? '' : `SAMPLE of ${sizes(samples)} queries: `
}

/** Warning that the result is on a sample; empty otherwise. */
export function sampleNote({ datasets }: Pick<Leaderboard, 'datasets'>): string {
  const samples = datasets.flatMap(({ sample }) => sample ?? [])
  const [first] = samples
  if (!first) return ''
  return `This is a sample of ${sizes(samples)} queries (drawn by category at random, seed ${first.seed}), to see that everything works. Run the config without \`--limit\` for a result.`
}

/** Warning that questions were drafted from the corpus; empty if people asked all of them. */
export function syntheticNote({ datasets }: Pick<Leaderboard, 'datasets'>): string {
  const marked = datasets.filter(({ synthetic }) => synthetic)
  if (marked.length === 0) return ''
  const counts = marked.map(({ synthetic = 0, queries }) => `${quantity(synthetic)} of ${quantity(queries)}`)
  const sum = (key: 'synthetic' | 'reviewed') => marked.reduce((all, one) => all + (one[key] ?? 0), 0)
  const origin = originOfDrafted(sum('synthetic'), sum('reviewed'))
  return `${counts.join(' and ')} queries are synthetic: ${origin}. They tend to share words with their passages, so scores are high and lexical search looks better than it is. Check the decision on questions of people.`
}

function sizes(samples: readonly { readonly queries: number; readonly of: number }[]): string {
  return samples.map(({ queries, of }) => `${quantity(queries)} of ${quantity(of)}`).join(' and ')
}
