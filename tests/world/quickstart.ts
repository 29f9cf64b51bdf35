import { generate, type Part } from '../../scripts/world/generate.ts'
import type { Category, Question } from '../../scripts/world/model.ts'

/** The seed of the tracked world. */
export const SEED = 7

/** The tracked world, as its generator knows it. */
export const WORLD: Part = [...generate(SEED)][0]

export const asked = (...categories: Category[]): Question[] =>
  WORLD.questions.filter(({ category }) => categories.includes(category))
