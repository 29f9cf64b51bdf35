import type { Mask } from '../../ranking/mask.ts'
import type { Memo, MemoCell } from '../../retrieve/evaluate.ts'
import type { Expression } from '../../retrieve/step.ts'
import { maskOfTrial } from '../../retrieve/steps/trial.ts'
import type { Channel, Ranking } from '../../types.ts'
import {
  CORPUS,
  DEPTH,
  FAILED_STAGE,
  FILTER,
  FOUND,
  fixedPath,
  INDEX,
  nameOf,
  POOL,
  stagePath,
} from '../plan/stages.ts'
import type { Located, Locator, ShardLabels } from './locate.ts'

/** Gold found by dense and lexical search has mask 3. */
const CHANNEL_BITS: Readonly<Record<Channel, number>> = {
  dense: 1,
  lexical: 2,
  graph: 4,
  external: 8,
  corpus: 16,
}

export function channelNames(mask: number): string {
  const names = (Object.keys(CHANNEL_BITS) as Channel[]).filter((channel) => mask & CHANNEL_BITS[channel])
  return names.join('+') || 'none'
}

export interface Lost {
  /** Index into the trial's stages, by label. */
  readonly stages: Uint8Array
  readonly channels: Uint8Array
}

type Funnel = (
  root: Expression<Ranking>,
  names: readonly string[],
) => (position: number, labels: ShardLabels, located: Located | null) => Lost

interface Later {
  readonly stage: number
  readonly held: Uint8Array
}

/** `indexed` marks units with a chunk. Remembers channels within a shard, since trials share pools. */
export function createFunnel(memo: Memo, locator: Locator, indexed: Uint8Array): Funnel {
  /** Keyed by a path's pools, then by position. */
  const byPath = new Map<string, (Uint8Array | undefined)[]>()

  function channelsBy(path: readonly Expression<unknown>[]): (Uint8Array | undefined)[] {
    const pools = path.flatMap(({ step, key }) => (step.channel ? [key] : [])).join(' ')
    const byPlace = byPath.get(pools) ?? []
    byPath.set(pools, byPlace)
    return byPlace
  }

  return (root, names) => {
    const fixed = fixedPath(root)
    const shared = fixed && channelsBy(fixed)
    const at = (name: string) => names.indexOf(name)
    const [failed, corpus, index, filter, pool, depth, foundStage] = [
      FAILED_STAGE,
      CORPUS,
      INDEX,
      FILTER,
      POOL,
      DEPTH,
      FOUND,
    ].map(at)
    const filtered = maskOfTrial(root)

    function cellOf(expression: Expression<unknown>, position: number): MemoCell | undefined {
      const cell = memo.cell(expression, position)
      return cell?.failure ? undefined : cell
    }

    function channelsOf(
      path: readonly Expression<unknown>[],
      position: number,
      labels: ShardLabels,
    ): Uint8Array {
      const channels = new Uint8Array(labels.units.length)
      for (const expression of path) {
        const { channel } = expression.step
        const cell = channel && cellOf(expression, position)
        if (!cell) continue
        const inRanking = locator.holds((cell.value as Ranking).rows, labels)
        for (let label = 0; label < inRanking.length; label++)
          if (inRanking[label]) channels[label] |= CHANNEL_BITS[channel]
      }
      return channels
    }

    function laterOf(
      path: readonly Expression<unknown>[],
      position: number,
      labels: ShardLabels,
    ): readonly Later[] {
      return path.flatMap((expression) => {
        const cell = expression.step.channel ? undefined : cellOf(expression, position)
        if (!cell) return []
        return [{ stage: at(nameOf(expression)), held: locator.holds((cell.value as Ranking).rows, labels) }]
      })
    }

    /** Labels that the trial's filter keeps; undefined without a filter. */
    function keptOf(position: number, labels: ShardLabels): Uint8Array | undefined {
      const mask = filtered && (cellOf(filtered, position)?.value as Mask | undefined)
      return mask && locator.holds(mask.rows, labels)
    }

    function afterLast(later: readonly Later[], label: number, isInPool: boolean): number {
      const last = later.findLastIndex(({ held }) => held[label])
      if (last < 0 && !isInPool) return pool
      return last + 1 < later.length ? later[last + 1].stage : depth
    }

    return (position, labels, located) => {
      const n = labels.units.length
      const stages = new Uint8Array(n)
      if (!located) return { stages: stages.fill(failed), channels: new Uint8Array(n) }
      const path = fixed ?? stagePath(memo, root, position)
      const channels = shared?.[position] ?? channelsOf(path, position, labels)
      if (shared) shared[position] = channels
      // Computed on demand: most rows lost nothing.
      let later: readonly Later[] | undefined
      let passing: Uint8Array | undefined
      for (let label = 0; label < n; label++)
        if (located.ranks[label] > 0) stages[label] = foundStage
        else if (labels.units[label] < 0) stages[label] = corpus
        else if (!indexed[labels.units[label]]) stages[label] = index
        else {
          later ??= laterOf(path, position, labels)
          passing ??= keptOf(position, labels)
          stages[label] = passing?.[label] === 0 ? filter : afterLast(later, label, channels[label] !== 0)
        }
      return { stages, channels }
    }
  }
}
