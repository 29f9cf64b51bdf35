import { expect, test } from 'vitest'
import { runTable } from '../../src/corpus/run-table.ts'
import { find } from '../../src/registry.ts'
import { expressionsOf, sourceQuery } from '../../src/retrieve/step.ts'
import { alone } from '../../src/retrieve/strategies/define.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { openStore } from '../../src/store/store.ts'
import { documents } from '../fixtures/passages.ts'
import { recipe } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'

test('whatever is prepared counts what is done of all of it, and never back', async () => {
  await strategies.load()
  const folder = temporaryFolder({ 'run.trec': `q1 Q0 ${documents[0].id} 1 2 t\n` })
  const recorded = { path: `${folder}/run.trec`, lenient: false }
  const names = [
    'bm25',
    'naive',
    'title-ppr',
    'graphrag-local',
    'graphrag-global',
    'lightrag',
    'hipporag',
    'raptor',
  ]
  const roots = names.flatMap((name) => {
    const strategy = find(strategies, name)
    const { ranking, evidence } = strategy.retrieve({
      query: sourceQuery(recipe),
      params: strategy.params.parse({}) as never,
      inner: alone,
    })
    return evidence ? [ranking, evidence] : [ranking]
  })
  const artifacts = [
    runTable(recipe, recorded),
    ...expressionsOf(roots).flatMap((one) => Object.values(one.artifacts)),
  ]
  const told = new Map<string, [done: number, total: number][]>()
  const store = openStore(`${folder}/store`)
  for (const artifact of artifacts)
    await store.prepare(artifact, (what, done, total) => {
      told.set(what, [...(told.get(what) ?? []), [done, total]])
    })
  expect(told.get('run run.trec')).toEqual([
    [0, 1],
    [1, 1],
  ])
  for (const [what, steps] of told) {
    for (const [index, [done, total]] of steps.entries()) {
      const [before, all] = steps[index - 1] ?? [0, 0]
      const isNew = done === 0 || before === all
      expect({
        what,
        total: total > 0,
        within: 0 <= done && done <= total,
        forth: isNew || done >= before,
      }).toEqual({ what, total: true, within: true, forth: true })
    }
  }
})
