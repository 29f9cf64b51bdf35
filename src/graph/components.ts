import type { Csr } from './csr.ts'

/** The connected components: `of[u]` is node u's component, numbered by its lowest node; `sizes` by that number. */
export interface Components {
  readonly of: Uint32Array
  readonly sizes: readonly number[]
}

/** Breadth-first from each node not yet reached; isolated nodes are components of one. */
export function components({ nodes, offsets, targets }: Csr): Components {
  const unreached = 0xffffffff
  const of = new Uint32Array(nodes).fill(unreached)
  const queue = new Uint32Array(nodes)
  const sizes: number[] = []
  for (let start = 0; start < nodes; start++) {
    if (of[start] !== unreached) continue
    const component = sizes.length
    let end = 0
    queue[end++] = start
    of[start] = component
    for (let next = 0; next < end; next++) {
      const u = queue[next]
      for (let i = offsets[u]; i < offsets[u + 1]; i++)
        if (of[targets[i]] === unreached) {
          of[targets[i]] = component
          queue[end++] = targets[i]
        }
    }
    sizes.push(end)
  }
  return { of, sizes }
}
