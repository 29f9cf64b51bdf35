import { describe, expect, test } from 'vitest'
import { OutOfTime } from '../../src/custom/guard.ts'
import { UserError } from '../../src/errors.ts'
import { BadCompletion } from '../../src/models/chat/json.ts'
import { runStep } from '../../src/retrieve/run-step.ts'
import { Stopped } from '../../src/stopping.ts'

type Block = readonly (readonly number[])[]
const block: Block = [[1], [2], [3]]
const ids = ['q1', 'q2', 'q3']
const context = { params: null, artifacts: {} }

/** Outcomes of a step for three queries, with how often others could work in between. */
async function outcomes(step: object, signal: { pauses: number } = { pauses: 0 }) {
  const pause = async () => void signal.pauses++
  const found = await runStep({ name: 'double', ...step } as never, context, block, ids, pause)
  return [found, signal.pauses]
}

const failure = (message: string, more = {}) => ({ failure: { step: 'double', message }, ...more })
const single = (run: (value: number) => unknown) => ({ run: ([value]: readonly number[]) => run(value) })

describe('a step for each query', () => {
  test('fails for a query alone, which keeps the counts of its model calls', async () => {
    const bad = Object.assign(new BadCompletion('no JSON'), { counts: { modelCalls: 2 } })
    const step = single((value) => {
      if (value === 2) throw bad
      return 2 * value
    })
    expect(await outcomes(step)).toEqual([
      [{ value: 2 }, failure('no JSON', { counts: { modelCalls: 2 } }), { value: 6 }],
      3,
    ])
    const promised = single((value) => (value === 1 ? Promise.reject('no luck') : Promise.resolve(value)))
    expect(await outcomes(promised)).toEqual([[failure('no luck'), { value: 2 }, { value: 3 }], 3])
  })

  test('ends the run for a mistake of the user, and names the query that takes too long', async () => {
    const throwing = (error: Error) =>
      outcomes(
        single((value) => {
          if (value === 2) throw error
          return value
        }),
      )
    await expect(throwing(new UserError('no such file'))).rejects.toThrow('no such file')
    await expect(throwing(new Stopped())).rejects.toThrow(Stopped)
    await expect(throwing(new OutOfTime('it gave no answer'))).rejects.toThrow(
      'it gave no answer on the query q2',
    )
  })
})

describe('a step for all queries at once', () => {
  const blocks: Block[] = []
  const all = (run: (block: Block) => unknown) => ({
    async runBlock(block: Block) {
      blocks.push(block)
      return run(block)
    },
  })
  const doubled = (block: Block) => block.map(([value]) => 2 * value)
  const singly = [[[1]], [[2]], [[3]]]

  test.each<[string, (block: Block) => unknown]>([
    ['gives too few answers', (block) => doubled(block).slice(0, 1)],
    ['gives nothing', (block) => (block.length > 1 ? undefined : doubled(block))],
    [
      'fails together',
      (block) => {
        if (block.length > 1) throw new Error('too many')
        return doubled(block)
      },
    ],
    [
      'takes too long together',
      (block) => {
        if (block.length > 1) throw new OutOfTime('too long')
        return doubled(block)
      },
    ],
  ])('that %s is run query by query', async (_, run) => {
    blocks.length = 0
    expect(await outcomes(all(run))).toEqual([[2, 4, 6].map((value) => ({ value })), 4])
    expect(blocks).toEqual([block, ...singly])
  })

  test('ends the run for a mistake of the user', async () => {
    const wrong = all(() => {
      throw new UserError('no such file')
    })
    await expect(outcomes(wrong)).rejects.toThrow('no such file')
  })
})
