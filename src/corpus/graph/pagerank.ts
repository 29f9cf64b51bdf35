import { createLayout, openKernel } from '../../kernel.ts'
import { type Csr, strengths } from './csr.ts'

/**
 * Personalised PageRank on an undirected weighted graph:
 *
 *     x = (1 - damping) v + damping (P^T x + dangling(x) v)
 *
 * v is the reset vector with sum 1, P[u][w] = weight(u, w) / strength(u), `damping` the probability of following an
 * edge; the mass on nodes without edges (dangling) goes back to v. x is proportional to the solution of
 * y = (1 - damping) v + damping P^T y. With y = strength g q and g = 1 / sqrt(strength - damping weight(u, u)) that is
 *
 *     (I - L - L^T) q = b,      L[u][w] = damping g[u] g[w] weight(u, w) for w before u,      b = (1 - damping) g v
 *
 * a symmetric positive definite matrix with a diagonal of 1. Solved by conjugate gradients, preconditioned by a symmetric
 * Gauss-Seidel step, (I - L)(I - L^T). Eisenstat's form of the product costs one pass over the edges a step:
 *
 *     (I - L)^-1 (I - L - L^T) (I - L)^-T p = t + (I - L)^-1 (p - t),      t = (I - L)^-T p
 *
 * The number of steps follows the graph: 8 at damping .5 and 10 at .85 over 75,000 nodes of phrases and passages, where
 * power iteration needs 18 and 26; never more than its bound from the condition (1 + damping) / (1 - damping).
 * (Haveliwala, WWW 2002; Hestenes & Stiefel, 1952; Eisenstat, 1981; dangling mass as in igraph's PRPACK with u = v.)
 */
export interface RandomWalk {
  readonly csr: Csr
  /** Sum of each node's edge weights. */
  readonly strengths: Float64Array
}

/** Restart nodes with weights of at least 0, whose sum is above 0. Weights of one node are summed. */
export interface Reset {
  readonly nodes: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

/** Residual that ends the steps, as a share of the first one. */
const SETTLED = 1e-15
/**
 * Rounds scores to multiples of 2^-44, so that nodes which are equal by symmetry have equal scores: numbers from 256 to 512
 * have this spacing, so adding and subtracting 256 rounds a score.
 */
const ROUNDING = 256
/** Vectors a pass of the kernel holds. */
const LANES = 8

export function createWalk(csr: Csr): RandomWalk {
  return { csr, strengths: strengths(csr) }
}

/**
 * Calls `read` for each reset in turn with the scores of all nodes, whose sum is 1 up to rounding; the array is reused.
 * Every score is the exact one, rounded: the largest error is 2^-45, measured over 75,000 nodes and 1.4 million edges at damping
 * .5 and .85. Edge weights that differ by a factor of 1e12 leave errors of 1e-11, by 1e24 of 1e-5.
 * A reset gets the same bits alone or among others. Throws if a reset is no distribution over the nodes, or `damping` is
 * outside [0, 1).
 */
export function pagerank<T>(
  walk: RandomWalk,
  resets: readonly Reset[],
  damping: number,
  read: (scores: Float64Array, query: number) => T,
): T[] {
  if (!(damping >= 0 && damping < 1)) throw new Error(`damping ${damping} is not in [0, 1)`)
  const shares = resets.map((reset) => (1 - damping) / resetSum(walk, reset))
  const solver = openSolver(walk)
  solver.scale(damping)
  const scores = new Float64Array(walk.csr.nodes)
  const results: T[] = []
  for (let first = 0; first < resets.length; first += LANES) {
    const group = resets.slice(first, first + LANES)
    // Entries of a single vector are contiguous.
    const lanes = group.length === 1 ? 1 : LANES
    for (const vector of [solver.p, solver.r, solver.u, solver.z]) vector.fill(0, 0, lanes * walk.csr.nodes)
    group.forEach((reset, lane) => {
      restart(solver, reset, shares[first + lane], lane, lanes)
    })
    settle(solver, damping, group.length, lanes, (lane) => {
      const query = first + lane
      readScores(walk, solver, group[lane], shares[query], lane, lanes, scores)
      results[query] = read(scores, query)
    })
  }
  return results
}

function resetSum({ csr: { nodes } }: RandomWalk, reset: Reset): number {
  let sum = 0
  for (let i = 0; i < reset.nodes.length; i++) {
    const weight = reset.weights[i]
    if (!(reset.nodes[i] < nodes && weight >= 0))
      throw new Error(`reset weight ${weight} of node ${reset.nodes[i]}`)
    sum += weight
  }
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) throw new Error(`the reset weights sum to ${sum}`)
  return sum
}

/** Writes b of a reset to a lane of p. Nodes without edges have none: their score is their share of the reset. */
function restart(
  { indexOf, g, p }: Solver,
  { nodes, weights }: Reset,
  share: number,
  lane: number,
  lanes: number,
): void {
  for (let i = 0; i < nodes.length; i++) {
    const index = indexOf[nodes[i]]
    p[index * lanes + lane] += g[index] * share * weights[i]
  }
}

/** Steps until the first `count` lanes are settled, and reports each lane then. */
function settle(
  { forward, backward, update, scalars }: Solver,
  damping: number,
  count: number,
  lanes: number,
  done: (lane: number) => void,
): void {
  // From u = 0 and p = b, this writes the first residual, (I - L)^-1 b, to r.
  forward(lanes)
  scalars.fill(-1)
  update(lanes)
  const begun = scalars.slice(0, count)
  const residuals = begun.slice()
  const open = new Set(begun.keys())
  const beta = new Float64Array(LANES)
  for (let steps = mostSteps(damping); open.size > 0; steps--) {
    if (steps === 0) throw new Error(`a walk over the graph has not settled at damping ${damping}`)
    scalars.set(beta)
    backward(lanes)
    forward(lanes)
    // A lane that has converged, or has no walk, no longer changes.
    for (let lane = 0; lane < LANES; lane++)
      scalars[lane] = open.has(lane) && residuals[lane] > 0 ? residuals[lane] / scalars[lane] : 0
    update(lanes)
    for (const lane of open) {
      beta[lane] = scalars[lane] / residuals[lane]
      residuals[lane] = scalars[lane]
      // A residual that is not a number never settles.
      if (!(residuals[lane] <= SETTLED * SETTLED * begun[lane])) continue
      beta[lane] = 0
      done(lane)
      open.delete(lane)
    }
  }
}

/** Steps of a damping above .999999, where the bound would take hours. */
const MOST_STEPS = 100_000

/** Twice the steps after which conjugate gradients without a preconditioner are settled at the worst. */
function mostSteps(damping: number): number {
  const root = Math.sqrt((1 + damping) / (1 - damping))
  const steps = 10 + 2 * Math.ceil(Math.log(SETTLED / 2 / root) / Math.log((root - 1) / (root + 1)))
  return Math.min(steps, MOST_STEPS)
}

/** x from a lane of z: y = strength z, divided by its sum. */
function readScores(
  { csr: { nodes }, strengths }: RandomWalk,
  { indexOf, z }: Solver,
  reset: Reset,
  share: number,
  lane: number,
  lanes: number,
  scores: Float64Array,
): void {
  for (let u = 0; u < nodes; u++) scores[u] = strengths[u] * z[indexOf[u] * lanes + lane]
  for (let i = 0; i < reset.nodes.length; i++)
    if (strengths[reset.nodes[i]] === 0) scores[reset.nodes[i]] += share * reset.weights[i]
  let sum = 0
  for (let u = 0; u < nodes; u++) sum += scores[u]
  for (let u = 0; u < nodes; u++) scores[u] = scores[u] / sum + ROUNDING - ROUNDING
}

/** Graph in the kernel's memory: node u has the index `indexOf[u]`, most edges first. Entry i of a lane is at i x lanes + lane. */
interface Solver {
  readonly indexOf: Uint32Array
  readonly g: Float64Array
  /** Direction and residual of the conjugate gradients. */
  readonly p: Float64Array
  readonly r: Float64Array
  /** g (I - L)^-T p. */
  readonly u: Float64Array
  /** g q. */
  readonly z: Float64Array
  /** Factor or sum of each lane, that a pass reads or writes (pagerank.wat). */
  readonly scalars: Float64Array
  /** Writes g for a damping. */
  scale(damping: number): void
  /** Passes of the kernel for one lane or eight; the bits of a lane are the same in both. */
  backward(lanes: number): void
  forward(lanes: number): void
  update(lanes: number): void
}

type Pass = (...numbers: number[]) => void

/** Layout of each open graph. */
const opened = new WeakMap<RandomWalk, Solver>()

function openSolver(walk: RandomWalk): Solver {
  const known = opened.get(walk)
  if (known) return known
  const { nodes } = walk.csr
  const { order, indexOf } = mostEdgesFirst(walk.csr)
  const { before, behind, loops } = countHalves(walk.csr, indexOf)
  const { reserve, bytes } = createLayout()
  const half = (entries: number) => ({
    ends: reserve(4 * nodes),
    targets: reserve(4 * entries),
    weights: reserve(8 * entries),
  })
  const at = {
    before: half(before),
    behind: half(behind),
    g: reserve(8 * nodes),
    h: reserve(8 * nodes),
    p: reserve(8 * LANES * nodes),
    r: reserve(8 * LANES * nodes),
    u: reserve(8 * LANES * nodes),
    v: reserve(8 * LANES * nodes),
    z: reserve(8 * LANES * nodes),
    scalars: reserve(8 * LANES),
  }
  const { functions, memory } = openKernel<Record<string, Pass>>(
    new URL('./pagerank.wasm', import.meta.url),
    bytes(),
  )
  writeHalves(walk.csr, order, indexOf, memory, at.before, { ...at.behind, entries: behind })
  const vector = (from: number, length = LANES * nodes) => new Float64Array(memory, from, length)
  const g = vector(at.g, nodes)
  const h = vector(at.h, nodes)
  let damping = Number.NaN
  const pass = (name: string, edges: Half) => (lanes: number) =>
    functions[`${name}${lanes === 1 ? 'One' : 'Eight'}`](
      nodes,
      edges.ends,
      edges.targets,
      edges.weights,
      damping,
      at.g,
      at.h,
      at.p,
      at.r,
      at.u,
      at.v,
      at.scalars,
    )
  const solver: Solver = {
    indexOf,
    g,
    p: vector(at.p),
    r: vector(at.r),
    u: vector(at.u),
    z: vector(at.z),
    scalars: vector(at.scalars, LANES),
    scale(next) {
      if (damping === next) return
      damping = next
      order.forEach((node, index) => {
        h[index] = Math.sqrt(walk.strengths[node] - damping * loops[node])
        g[index] = h[index] > 0 ? 1 / h[index] : 0
      })
    },
    backward: pass('backward', at.behind),
    forward: pass('forward', at.before),
    update: (lanes) =>
      functions[`update${lanes === 1 ? 'One' : 'Eight'}`](nodes, at.h, at.r, at.u, at.v, at.z, at.scalars),
  }
  opened.set(walk, solver)
  return solver
}

/** Nodes by falling number of edges, then by number: a counting sort. */
function mostEdgesFirst({ nodes, offsets }: Csr): { order: Uint32Array; indexOf: Uint32Array } {
  let most = 0
  for (let u = 0; u < nodes; u++) most = Math.max(most, offsets[u + 1] - offsets[u])
  const begins = new Uint32Array(most + 2)
  for (let u = 0; u < nodes; u++) begins[most - (offsets[u + 1] - offsets[u]) + 1]++
  for (let size = 0; size <= most; size++) begins[size + 1] += begins[size]
  const order = new Uint32Array(nodes)
  const indexOf = Uint32Array.from(
    { length: nodes },
    (_, u) => begins[most - (offsets[u + 1] - offsets[u])]++,
  )
  for (let u = 0; u < nodes; u++) order[indexOf[u]] = u
  return { order, indexOf }
}

/** Entries of L and L^T, whose rows are filled to even lengths, and the weight of each node's edge to itself. */
function countHalves({ nodes, offsets, targets, weights }: Csr, indexOf: Uint32Array) {
  const loops = new Float64Array(nodes)
  let before = 0
  let behind = 0
  for (let u = 0; u < nodes; u++) {
    const index = indexOf[u]
    const end = offsets[u + 1]
    for (let i = offsets[u]; i < end; i++) {
      const other = indexOf[targets[i]]
      if (other < index) before++
      else if (other > index) behind++
      else loops[u] += weights[i]
    }
    before += before % 2
    behind += behind % 2
  }
  return { before, behind, loops }
}

/** Places of the rows of L or L^T in the kernel's memory. */
interface Half {
  readonly ends: number
  readonly targets: number
  readonly weights: number
}

/** Writes the rows of L from the first node to the last, those of L^T from the last to the first. An entry of weight 0 fills an odd row. */
function writeHalves(
  { nodes, offsets, targets, weights }: Csr,
  order: Uint32Array,
  indexOf: Uint32Array,
  memory: ArrayBuffer,
  before: Half,
  behind: Half & { readonly entries: number },
): void {
  const ends = new Uint32Array(memory, before.ends, nodes)
  const lower = new Uint32Array(memory, before.targets)
  const lowerWeights = new Float64Array(memory, before.weights)
  const endsBehind = new Uint32Array(memory, behind.ends, nodes)
  const upper = new Uint32Array(memory, behind.targets)
  const upperWeights = new Float64Array(memory, behind.weights)
  let up = 0
  let down = behind.entries
  for (let index = 0; index < nodes; index++) {
    const node = order[index]
    const end = offsets[node + 1]
    endsBehind[nodes - 1 - index] = down
    for (let i = offsets[node]; i < end; i++) {
      const other = indexOf[targets[i]]
      if (other < index) {
        lower[up] = other
        lowerWeights[up++] = weights[i]
      } else if (other > index) {
        upper[--down] = other
        upperWeights[down] = weights[i]
      }
    }
    up += up % 2
    down -= down % 2
    ends[index] = up
  }
}
