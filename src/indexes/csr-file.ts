import type { Csr } from '../graph/csr.ts'
import { readArrays, type TypedArray, writeArrays } from '../store/arrays.ts'

/** Writes a graph and what belongs to it as one file of arrays. */
export function writeCsr(path: string, csr: Csr, more: Record<string, TypedArray> = {}): void {
  const { offsets, targets, weights } = csr
  writeArrays(path, { offsets, targets, weights, ...more })
}

export function readCsr(path: string): { readonly csr: Csr; readonly arrays: Record<string, TypedArray> } {
  const { arrays } = readArrays(path)
  const offsets = arrays.offsets as Uint32Array
  const targets = arrays.targets as Uint32Array
  const weights = arrays.weights as Float64Array
  return { csr: { nodes: offsets.length - 1, offsets, targets, weights }, arrays }
}
