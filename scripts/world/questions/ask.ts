import type { Category, Question } from '../model.ts'
import type { Random } from '../random.ts'
import type { Ground } from './ground.ts'
import { missing, themes } from './others.ts'
import { compare, relate } from './pairs.ts'
import { back, walk } from './paths.ts'

/** How many questions of each category a world of one block has; its lore adds paraphrases and definitions. */
const WANTED: readonly (readonly [Exclude<Category, 'paraphrase' | 'definition' | 'thematic'>, number])[] = [
  ['fact', 36],
  ['bridge2', 26],
  ['bridge3', 20],
  ['bridge4', 14],
  ['comparison', 18],
  ['relationship', 16],
  ['unanswerable', 16],
]

/** The questions of a small world. */
export function askAll(random: Random, ground: Ground): Question[] {
  const local = WANTED.flatMap(([category, count]) => several(random.fork(category), ground, category, count))
  return [...local, ...themes(ground)]
}

/** `count` questions of a block of a large world, beginning with the `from`-th category in turn. */
export function askSome(random: Random, ground: Ground, from: number, count: number): Question[] {
  const turns = Array.from({ length: count }, (_, number) => WANTED[(from + number) % WANTED.length][0])
  return [...new Set(turns)].flatMap((category) =>
    several(random.fork(category), ground, category, turns.filter((turn) => turn === category).length),
  )
}

function several(
  random: Random,
  ground: Ground,
  category: (typeof WANTED)[number][0],
  count: number,
): Question[] {
  const found = new Map<string, Question>()
  const uses = new Map<unknown, number>()
  for (let tries = 0; found.size < count; tries++) {
    if (tries > 100_000) throw new Error(`the world has no ${count} questions of the category ${category}`)
    const question = make(random, ground, category, found.size)
    if (!question || found.has(question.text)) continue
    // Variety: no category asks for the same kind of fact, or begins in the same way, again and again.
    const manner = question.path.map(({ relation }) => relation).join(' ')
    const last = question.path[question.path.length - 1]?.relation
    if ((category === 'fact' || category.startsWith('bridge')) && tries < 50_000) {
      if ((uses.get(manner) ?? 0) >= 2 || (uses.get(last) ?? 0) >= Math.max(2, count / 8)) continue
      uses.set(last, (uses.get(last) ?? 0) + 1)
      if (manner !== last) uses.set(manner, (uses.get(manner) ?? 0) + 1)
    }
    found.set(question.text, question)
  }
  return [...found.values()]
}

function make(
  random: Random,
  ground: Ground,
  category: (typeof WANTED)[number][0],
  number: number,
): Question | null {
  switch (category) {
    case 'fact':
      return number % 2 ? back(random, ground) : walk(random, ground, 1)
    case 'bridge2':
      return walk(random, ground, 2)
    case 'bridge3':
      return walk(random, ground, 3)
    case 'bridge4':
      return walk(random, ground, 4)
    case 'comparison':
      return compare(random, ground, number)
    case 'relationship':
      return relate(random, ground)
    case 'unanswerable':
      return missing(random, ground, number)
  }
}
