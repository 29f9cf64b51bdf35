import { createRegistry } from '../../../registry.ts'
import type { Chunker } from './define.ts'
import { headings } from './headings.ts'
import { passages } from './passages.ts'
import { sentencesChunker } from './sentences.ts'
import { tokens } from './tokens.ts'

/** Every chunker. */
export const chunkers = createRegistry<Chunker>('chunker', [headings, passages, sentencesChunker, tokens])
