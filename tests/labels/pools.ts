import type { FiledLog } from '../../src/labels/folder.ts'
import { type Pool, type PooledPassage, passageId } from '../../src/labels/pool.ts'

/** A passage of a document, with its rank in each trial. */
export function passage(document: string, text: string, ranks: readonly number[]): PooledPassage {
  const id = passageId(document, text)
  return {
    id,
    chunk: `${document}#1`,
    document,
    start: 0,
    end: text.length,
    title: document,
    text,
    ranks: [...ranks],
  }
}

/** A pool of two trials. */
export function pool(
  queries: Pool['queries'],
  { measure = 'recall@2', k = 2, trials = ['a', 'b'] } = {},
): Pool {
  return {
    touchstone: 'pool',
    format: 1,
    experiment: 'towns',
    result: 'r',
    unit: 'span',
    seed: 0,
    measure,
    k,
    trials,
    queries,
  }
}

/** A labeller's log of these actions. */
export const logOf = (
  labeller: string,
  actions: FiledLog['actions'],
  kind: 'person' | 'model' = 'person',
): FiledLog => ({
  file: labeller,
  torn: 0,
  header: { touchstone: 'label log', format: 1, labeller, kind },
  actions,
})
