import { answerers } from '../answer/answerers/index.ts'
import { chunkers } from '../corpus/chunks/chunkers/index.ts'
import { contexts } from '../corpus/chunks/contexts/index.ts'
import { communityFinders } from '../corpus/graph/communities/index.ts'
import { extractors } from '../corpus/graph/extractors/index.ts'
import { reportWriters } from '../corpus/graph/reports/index.ts'
import { summarizers } from '../corpus/summaries/summarizers/index.ts'
import { engineKinds } from '../engines/index.ts'
import { embedders } from '../models/embedders/index.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../retrieve/transforms/index.ts'
import { isMap } from '../text/json.ts'

const DEFAULTS = ['passages', 'title', 'lsa', 'rules', 'titles', 'leiden', 'extractive']

export const LISTS = [
  chunkers,
  contexts,
  embedders,
  extractors,
  communityFinders,
  reportWriters,
  summarizers,
  strategies,
  queryTransforms,
  rankingTransforms,
  engineKinds,
  answerers,
]

/** Loads the built-in parts named in a config or an experiment; all without one. Must precede any use of them. */
export async function loadParts(config?: unknown): Promise<void> {
  const names = config === undefined ? undefined : [...DEFAULTS, ...wordsIn(config)]
  for (const list of LISTS) await list.load(names)
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  return isMap(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...wordsIn(item)]) : []
}
