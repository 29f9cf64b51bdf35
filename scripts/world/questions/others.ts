import { type Entity, factOf, type Kind, type Question, type Relation, textOf } from '../model.ts'
import type { Random } from '../random.ts'
import { word } from '../wording.ts'
import type { Ground } from './ground.ts'
import { ASK, THEMES } from './wordings.ts'

const TOLD: readonly (readonly [Kind, Relation])[] = [
  ['expedition', 'trouble'],
  ['dispute', 'ground'],
  ['ship', 'fate'],
]

/** One question a theme; all passages that tell of it are gold. */
export function themes({ block, passage }: Ground): Question[] {
  return Object.entries(THEMES).map(([theme, text]): Question => {
    const path = TOLD.flatMap(([kind, relation]) =>
      block.entities[kind]
        .filter((entity) => textOf(block.facts, entity, relation) === theme)
        .map((entity) => factOf(block.facts, entity, relation)),
    )
    const answers = path.map(({ subject }) => subject.name)
    return { category: 'thematic', text, answers, path, gold: path.map(passage) }
  })
}

/** Asks what the world does not say: of somebody whose like it says it of, or of something that there never was. */
export function missing(random: Random, { block }: Ground, number: number): Question | null {
  const ask = (text: string): Question => ({
    category: 'unanswerable',
    text,
    answers: [],
    path: [],
    gold: [],
  })
  const unsaid = (kind: Kind, relation: Relation): Question | null => {
    const entity = random.pick(block.entities[kind])
    return block.facts.get(entity)?.has(relation)
      ? null
      : ask(word(random, ASK[relation] as string, { x: entity.mention }))
  }
  const named = (kind: Kind): Entity => random.pick(block.entities[kind])
  switch (number % 8) {
    case 0:
      return unsaid('person', 'diedIn')
    case 1:
      return unsaid('ship', 'master')
    case 2: {
      const first = named('expedition').name
      return first.startsWith('First ') ? ask(`Who led the ${first.replace('First', 'Third')}?`) : null
    }
    case 3:
      return ask(`How much did ${named('institute').mention} pay for ${named('instrument').mention}?`)
    case 4:
      return ask(`What was the name of the eldest child of ${named('person').mention}?`)
    case 5:
      return unsaid('ship', 'cargo')
    case 6:
      return ask(`Which medal did ${named('person').mention} receive for ${named('instrument').mention}?`)
    default:
      return ask(`How many people live in ${named('place').mention}?`)
  }
}
