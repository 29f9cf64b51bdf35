import { append } from '../../ranking/rank-list.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'

export const appendRanking = defineStep<{ readonly depth: number }, [Ranking, Ranking], Ranking>({
  name: 'append',
  yields: 'ranking',
  run: ([first, tail], { params }) => append(first, tail, params.depth),
})
