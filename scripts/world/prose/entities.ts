import { type Entity, type Fact, type Kind, mentionOf, type Passage, type Relation } from '../model.ts'
import type { Random } from '../random.ts'
import { word } from '../wording.ts'

const SHAPES: Readonly<Record<Kind, string>> = {
  person:
    '{name} was born in {bornIn} in {bornYear} and became a {trade}. {She} [learned the craft|studied] at {trainedAt}, where {she} was a pupil of {pupilOf}. Visitors remembered that {she} kept {keeps}.',
  ship: '{mention} was built of {timber} at {builtAt} by {builtBy} and launched in {launched}. She [sailed for many years|never had an easy crew] and in the end was {fate}.',
  expedition:
    '{mention} set out in {setOut} under {ledBy}, aboard {sailedIn}. It was paid for by {paidBy}. [Within a season|Before long] it was in trouble with {trouble}.',
  institute:
    '{mention} was founded in {founded} by {foundedBy}. Its emblem shows {emblem}, and its [library|workshop] is open one day a week.',
  instrument: '{mention} was invented by {inventedBy}. It is made of {material} and is kept at {keptAt}.',
  place:
    '{name} is named after {namedAfter}. It received its charter in {chartered} and lives by {product}. Travellers come to see {landmark}.',
  dispute:
    '{mention} was a quarrel between {plaintiff} and {defendant}, heard in {heard}. It was settled by {settledBy}; {verdict}.',
}

/** The passage of an entity: states all its facts. */
export function tell(random: Random, entity: Entity, facts: ReadonlyMap<Relation, Fact>): Passage {
  const slots: Record<string, string> = {
    name: entity.name,
    mention: entity.mention,
    She: entity.female ? 'She' : 'He',
    she: entity.female ? 'she' : 'he',
  }
  for (const [relation, { object }] of facts) slots[relation] = mentionOf(object)
  return { title: entity.name, text: word(random, SHAPES[entity.kind], slots), facts: [...facts.values()] }
}
