import { readFileSync } from 'node:fs'

const PAGE = 65_536
/** A kernel's memory holds at most this many bytes. */
export const MOST_BYTES = 65_536 * PAGE

/**
 * Opens a hand-written WebAssembly kernel (a .wat file, compiled by scripts/kernels.mjs) over a memory of its own.
 * Kernels use SIMD without relaxed instructions, so every machine gives the same bits. The functions take addresses in
 * `memory`, which is at least `bytes` long.
 */
export function openKernel<F>(binary: URL, bytes: number): { functions: F; memory: ArrayBuffer } {
  const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(binary)), {
    kernel: { memory },
  })
  return { functions: exports as F, memory: memory.buffer }
}
