import { readArrays, type TypedArray, writeArrays } from '../../store/arrays.ts'

/**
 * Compressed rows: the members of row r are `members[offsets[r]]` to `members[offsets[r + 1] - 1]`, ascending and
 * distinct.
 */
interface Rows {
  readonly offsets: Uint32Array
  readonly members: Uint32Array
}

/** Compressed rows with the count of each member in its row, at least 1. */
export interface Incidence extends Rows {
  readonly counts: Uint32Array
}

/**
 * Undirected weighted graph: the neighbours of node u are `targets[offsets[u]]` to `targets[offsets[u + 1] - 1]`,
 * ascending and distinct. Every edge is stored at both ends, a self edge once.
 */
export interface Csr {
  readonly nodes: number
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
}

export function neighboursOf(
  { offsets, targets }: Pick<Csr, 'offsets' | 'targets'>,
  node: number,
): Uint32Array {
  return targets.subarray(offsets[node], offsets[node + 1])
}

export function membersOf({ offsets, members }: Rows, row: number): Uint32Array {
  return members.subarray(offsets[row], offsets[row + 1])
}

export function memberIds(rows: Rows, ids: readonly string[]): string[][] {
  return Array.from({ length: rows.offsets.length - 1 }, (_, row) =>
    Array.from(membersOf(rows, row), (member) => ids[member]),
  )
}

export function rowSizes({ offsets }: Pick<Rows, 'offsets'>): Uint32Array {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, row) => offsets[row + 1] - offsets[row])
}

interface Entries {
  readonly rows: ArrayLike<number>
  readonly members: ArrayLike<number>
}

/** Sorts entries by row and member in two passes of counting sort. Sums the values of equal entries in their order. */
function compress<V extends Uint32Array | Float64Array>(
  rowCount: number,
  memberCount: number,
  { rows, members }: Entries,
  values: V,
): Rows & { readonly values: V } {
  const sorted = countingSort(rows, rowCount, countingSort(members, memberCount))
  const offsets = new Uint32Array(rowCount + 1)
  const kept = new Uint32Array(sorted.length)
  const sums = values.slice()
  let write = 0
  let row = 0
  for (const entry of sorted) {
    while (row < rows[entry]) offsets[++row] = write
    if (write > offsets[row] && kept[write - 1] === members[entry]) sums[write - 1] += values[entry]
    else {
      kept[write] = members[entry]
      sums[write++] = values[entry]
    }
  }
  while (row < rowCount) offsets[++row] = write
  return { offsets, members: kept.slice(0, write), values: sums.slice(0, write) as V }
}

function countingSort(keys: ArrayLike<number>, range: number, order?: Uint32Array): Uint32Array {
  const next = new Uint32Array(range + 1)
  for (let i = 0; i < keys.length; i++) next[keys[i] + 1]++
  for (let key = 0; key < range; key++) next[key + 1] += next[key]
  const sorted = new Uint32Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    const index = order ? order[i] : i
    sorted[next[keys[index]]++] = index
  }
  return sorted
}

/** Incidence of `rows` rows; counts of equal pairs are summed (1 if absent). */
export function buildIncidence(
  rows: number,
  pairs: Entries & { readonly counts?: ArrayLike<number> },
  memberCount: number,
): Incidence {
  const counts = pairs.counts ? Uint32Array.from(pairs.counts) : new Uint32Array(pairs.rows.length).fill(1)
  const { values, ...compressed } = compress(rows, memberCount, pairs, counts)
  return { ...compressed, counts: values }
}

export function incidenceOf(lists: readonly ArrayLike<number>[], memberCount: number): Incidence {
  const rows = lists.flatMap((list, row) => Array.from(list, () => row))
  const members = lists.flatMap((list) => Array.from(list))
  return buildIncidence(lists.length, { rows, members }, memberCount)
}

export function transpose({ offsets, members, counts }: Incidence, memberCount: number): Incidence {
  const rows = new Uint32Array(members.length)
  for (let row = 0; row + 1 < offsets.length; row++) rows.fill(row, offsets[row], offsets[row + 1])
  return buildIncidence(memberCount, { rows: members, members: rows, counts }, offsets.length - 1)
}

export function createEdges() {
  const columns = { sources: [] as number[], targets: [] as number[], weights: [] as number[] }
  return {
    ...columns,
    add(source: number, target: number, weight: number) {
      columns.sources.push(source)
      columns.targets.push(target)
      columns.weights.push(weight)
    },
  }
}

/** Weights are 1 if absent. */
interface EdgeColumns {
  readonly sources: ArrayLike<number>
  readonly targets: ArrayLike<number>
  readonly weights?: ArrayLike<number>
}

/** Builds a graph of `nodes` nodes. Self edges, and edges whose weight is not above 0, are left out. */
export function buildCsr(nodes: number, { sources, targets, weights }: EdgeColumns): Csr {
  const rows = new Uint32Array(2 * sources.length)
  const members = new Uint32Array(rows.length)
  const values = new Float64Array(rows.length)
  let entries = 0
  const add = (u: number, v: number, w: number) => {
    rows[entries] = u
    members[entries] = v
    values[entries++] = w
  }
  for (let e = 0; e < sources.length; e++) {
    const weight = weights ? weights[e] : 1
    if (sources[e] === targets[e] || !(weight > 0)) continue
    add(sources[e], targets[e], weight)
    add(targets[e], sources[e], weight)
  }
  const both = { rows: rows.subarray(0, entries), members: members.subarray(0, entries) }
  return csrOf(nodes, both, values.subarray(0, entries))
}

function csrOf(nodes: number, entries: Entries, weights: Float64Array): Csr {
  const { offsets, members, values } = compress(nodes, nodes, entries, weights)
  return { nodes, offsets, targets: members, weights: values }
}

/** Adds an edge of weight 1 from each node to itself. The graph has no self edge. */
export function withSelfEdges({ nodes, offsets, targets, weights }: Csr): Csr {
  const rows = new Uint32Array(targets.length + nodes)
  const members = new Uint32Array(rows.length)
  const values = new Float64Array(rows.length).fill(1)
  members.set(targets)
  values.set(weights)
  for (let u = 0; u < nodes; u++) {
    rows.fill(u, offsets[u], offsets[u + 1])
    rows[targets.length + u] = u
    members[targets.length + u] = u
  }
  return csrOf(nodes, { rows, members }, values)
}

export function strengths({ nodes, offsets, weights }: Csr): Float64Array {
  const sums = new Float64Array(nodes)
  for (let u = 0; u < nodes; u++) {
    let sum = 0
    for (let i = offsets[u]; i < offsets[u + 1]; i++) sum += weights[i]
    sums[u] = sum
  }
  return sums
}

export function writeCsr(path: string, csr: Csr, more: Record<string, TypedArray> = {}): void {
  const { offsets, targets, weights } = csr
  writeArrays(path, { offsets, targets, weights, ...more })
}

export function readCsr<A = unknown>(path: string): { readonly csr: Csr; readonly arrays: A } {
  const { arrays } = readArrays<A & Omit<Csr, 'nodes'>>(path)
  const { offsets, targets, weights } = arrays
  return { csr: { nodes: offsets.length - 1, offsets, targets, weights }, arrays }
}

export function incidenceArrays(name: string, { offsets, members, counts }: Incidence) {
  return { [`${name}.offsets`]: offsets, [`${name}.members`]: members, [`${name}.counts`]: counts }
}

export function incidenceIn(arrays: Record<string, TypedArray>, name: string): Incidence {
  const [offsets, members, counts] = ['offsets', 'members', 'counts'].map(
    (part) => arrays[`${name}.${part}`] as Uint32Array,
  )
  return { offsets, members, counts }
}
