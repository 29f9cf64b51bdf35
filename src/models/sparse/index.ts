import { createRegistry } from '../../registry.ts'
import type { SparseEncoderDefinition } from '../sparse-encoder.ts'
import { recordedSparseEncoder } from './recorded.ts'
import { splade } from './splade.ts'

/** Every encoder of learned sparse vectors, in the order of the docs. A new one is one file and one line here. */
export const sparseEncoders = createRegistry<SparseEncoderDefinition>('sparse encoder', [
  splade,
  recordedSparseEncoder,
])
