import { readFileSync } from 'node:fs'

const PAGE = 65_536
/** Most bytes of a kernel's memory. */
export const MAX_BYTES = 65_536 * PAGE

/** Places for arrays in a kernel's memory, each at the beginning of a cache line. */
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
 * Opens a hand-written WebAssembly kernel (.wat files, compiled by scripts/kernels.mjs) over a memory of its own,
 * at least `bytes` long. Kernels use SIMD without relaxed instructions, so every machine gives the same bits.
 * Functions take addresses in `memory`.
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
