import type { Cell, Memo } from '../steps/evaluate.ts'
import type { Expression } from '../steps/step.ts'
import type { Channel, Ranking } from '../types.ts'
import type { Labels, Located, Locator } from './labels.ts'
import { CORPUS, DEPTH, FAILED, FOUND, INDEX, POOL, pathOf } from './stages.ts'

/** One bit a channel: gold found by dense and lexical search is 3. */
export const CHANNEL_BITS: Readonly<Record<Channel, number>> = {
  dense: 1,
  lexical: 2,
  graph: 4,
  external: 8,
}

/** Names of a channel mask: `dense+lexical`; `none` for 0. */
export function channelNames(mask: number): string {
  const names = (Object.keys(CHANNEL_BITS) as Channel[]).filter((channel) => mask & CHANNEL_BITS[channel])
  return names.join('+') || 'none'
}

export interface Lost {
  /** The stage that lost each label, as an index into the trial's stage names. */
  readonly stages: Uint8Array
  /** Channels whose pools hold each label. */
  readonly channels: Uint8Array
}

/** Says, for labels of the query at a shard's place, in which stage of a trial each was lost. */
export type Funnel = (
  root: Expression<Ranking>,
  names: readonly string[],
  place: number,
  labels: Labels,
  located: Located | null,
) => Lost

/** `indexed` tells which units have a chunk at all. Remembers, within a shard, which labels a cell holds: pools are shared by many trials. */
export function createFunnel(memo: Memo, locator: Locator, indexed: Uint8Array): Funnel {
  const holding = new WeakMap<Cell, Map<Labels, Uint8Array>>()

  function holds(cell: Cell, labels: Labels): Uint8Array {
    let byLabels = holding.get(cell)
    if (!byLabels) {
      byLabels = new Map()
      holding.set(cell, byLabels)
    }
    let held = byLabels.get(labels)
    if (!held) {
      held = locator.holds(cell.value as Ranking, labels)
      byLabels.set(labels, held)
    }
    return held
  }

  return (root, names, place, labels, located) => {
    const n = labels.units.length
    const stages = new Uint8Array(n)
    const channels = new Uint8Array(n)
    const at = (name: string) => names.indexOf(name)
    if (!located) return { stages: stages.fill(at(FAILED)), channels }
    const path = pathOf(memo, root, place)
    const [corpus, index, pool, depth, found] = [CORPUS, INDEX, POOL, DEPTH, FOUND].map(at)
    for (let label = 0; label < n; label++) {
      for (const { channel, cell } of path.pools)
        if (holds(cell, labels)[label]) channels[label] |= CHANNEL_BITS[channel]
      if (located.ranks[label] > 0) stages[label] = found
      else if (labels.units[label] < 0) stages[label] = corpus
      else if (!indexed[labels.units[label]]) stages[label] = index
      else {
        let lost = channels[label] === 0 ? pool : path.later.length > 0 ? at(path.later[0].stage) : depth
        path.later.forEach(({ cell }, place) => {
          if (holds(cell, labels)[label])
            lost = place + 1 < path.later.length ? at(path.later[place + 1].stage) : depth
        })
        stages[label] = lost
      }
    }
    return { stages, channels }
  }
}
