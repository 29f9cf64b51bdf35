import type { Network } from './network.ts'

/** A graph as graphology serialises it: `Graph.from(it)` opens it. Nodes are keyed by name. */
export interface GraphologyGraph {
  readonly options: { readonly type: 'directed'; readonly multi: false; readonly allowSelfLoops: false }
  readonly attributes: Readonly<Record<string, never>>
  readonly nodes: readonly { readonly key: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly edges: readonly {
    readonly key: string
    readonly source: string
    readonly target: string
    readonly attributes: Readonly<Record<string, unknown>>
  }[]
}

export function graphologyOf({ nodes, edges }: Network): GraphologyGraph {
  return {
    options: { type: 'directed', multi: false, allowSelfLoops: false },
    attributes: {},
    nodes: nodes.map(({ name, ...attributes }) => ({
      key: name,
      attributes: { label: name, ...attributes },
    })),
    edges: edges.map(({ source, target, ...attributes }, row) => ({
      ...{ key: String(row), source, target },
      attributes: { ...attributes },
    })),
  }
}
