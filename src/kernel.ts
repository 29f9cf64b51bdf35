import { readFileSync } from 'node:fs'

const PAGE = 65_536
/** A kernel's memory holds at most this many bytes. */
export const MAX_BYTES = 65_536 * PAGE

/** Places for arrays in a kernel's memory, one behind the other, each at the beginning of a cache line. */
export function createLayout(): { reserve(bytes: number): number; bytes(): number } {
  let end = 0
  return {
    reserve(bytes) {
      const at = end
      end += Math.ceil(bytes / 64) * 64
      return at
    },
    bytes: () => end,
  }
}

/**
 * Opens a hand-written WebAssembly kernel (.wat files, compiled by scripts/kernels.mjs) over a memory of its own.
 * Kernels use SIMD without relaxed instructions, so every machine gives the same bits. The functions take addresses in
 * `memory`, which is at least `bytes` long.
 */
export function openKernel<F>(
  binaries: URL | readonly URL[],
  bytes: number,
): { functions: F; memory: ArrayBuffer } {
  const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) })
  const exports = [binaries].flat().map((binary) => {
    const module = new WebAssembly.Module(readFileSync(binary))
    return new WebAssembly.Instance(module, { kernel: { memory } }).exports
  })
  return { functions: Object.assign({}, ...exports) as F, memory: memory.buffer }
}
