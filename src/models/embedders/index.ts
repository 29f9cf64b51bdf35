import { listParts, type Part, typeParts } from '../../registry.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import type { Around, Embedder, Requests, Role } from '../embedder.ts'

export type EmbedderPart = Part<EmbedderSource>

export interface EmbedderSource {
  /** Number of texts between two part files of vectors: some seconds of work. */
  readonly batch: number
  /** Most requests at once, and texts of each; only of an embedder behind a server. */
  readonly requests?: Requests
  readonly around?: Around
  /** The embedder as an artifact. `role` matters only to servers that take it. */
  artifact(corpus: FittingCorpus, role?: Role): Artifact<Embedder>
}

interface FittingCorpus {
  /** The words of the chunks, counted, and how any text becomes such words. */
  terms(): { readonly counts: Artifact<TermCounts>; readonly analyze: Artifact<Analyzer> }
}

export const defineBuiltInEmbedder = typeParts<EmbedderSource>()

export const embedders = listParts<EmbedderPart>(
  'embedder',
  {
    lsa: () => import('./lsa.ts'),
    transformers: () => import('./transformers.ts'),
    recorded: () => import('./recorded.ts'),
    'openai-compatible': () => import('./openai-compatible.ts'),
  },
  '; write a model of the hub as `hf:owner/name`, a model folder as {transformers: {model: FOLDER}}',
)
