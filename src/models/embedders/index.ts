import { listParts, type Part, typeParts } from '../../registry.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import type { Around, Embedder, Requests, Role } from '../embedder.ts'

export type EmbedderPart = Part<EmbedderSource>

export interface EmbedderSource {
  /** Texts between two part files of vectors: some seconds of work. */
  readonly batch: number
  /** Only of an embedder behind a server. */
  readonly requests?: Requests
  readonly around?: Around
  /** `role` matters to servers that take it. */
  artifact(corpus: FittingCorpus, role?: Role): Artifact<Embedder>
}

interface FittingCorpus {
  /** Word counts of the chunks, and the function that makes a text's words. */
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
