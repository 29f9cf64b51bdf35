import { BLOCK_PASSAGES, buildBlock } from './build.ts'
import { createCast, createNames } from './cast.ts'
import { tellLore } from './lore.ts'
import type { Block, Passage, Question } from './model.ts'
import { askAll, askSome } from './questions/ask.ts'
import { createGround } from './questions/ground.ts'
import { createRandom } from './random.ts'
import { createStrangers } from './strangers.ts'
import { tellBlock } from './tell.ts'

export interface Size {
  readonly passages: number
  readonly queries: number
}

/** What a block adds to the world, in the order in which it is written. */
export interface Part {
  readonly block: Block
  readonly passages: readonly Passage[]
  readonly questions: readonly Question[]
}

/**
 * The world, block by block, so that a million passages need the memory of one block. Without `size` it is the small
 * world: one block with all categories. With it, exactly so many passages and questions; themes are not asked for then,
 * since every block would tell of them.
 */
export function* generate(seed: number, size?: Size): Generator<Part> {
  const names = createNames()
  let hubs: Block | null = null
  let passagesLeft = size?.passages ?? Number.POSITIVE_INFINITY
  let asked = 0
  for (let number = 0; passagesLeft > 0; number++) {
    const random = createRandom(seed).fork(`block ${number}`)
    const block = buildBlock(random.fork('facts'), createCast(random.fork('cast'), names), hubs)
    hubs ??= block
    const told = tellBlock(random.fork('telling'), block)
    const lore =
      number === 0 ? tellLore(random.fork('lore'), createStrangers(random.fork('strangers'), names)) : null
    const passages = random
      .fork('order')
      .shuffle([...told, ...(lore?.passages ?? [])])
      .slice(0, passagesLeft)
    passagesLeft -= passages.length
    const ground = createGround(block, told)
    const asking = random.fork('questions')
    if (!size) {
      yield { block, passages, questions: [...askAll(asking, ground), ...(lore?.questions ?? [])] }
      return
    }
    // Questions come in proportion to the passages so far; a block that is cut short asks only for what is there.
    const due =
      passagesLeft === 0
        ? size.queries
        : Math.floor((size.queries * (size.passages - passagesLeft)) / size.passages)
    const here = new Set(passages)
    const possible = askSome(
      asking,
      ground,
      asked,
      passages.length < BLOCK_PASSAGES ? (due - asked) * 20 : due - asked,
    )
    const questions = possible
      .filter(({ gold }) => gold.every((passage) => here.has(passage)))
      .slice(0, due - asked)
    asked += questions.length
    yield { block, passages, questions }
  }
}
