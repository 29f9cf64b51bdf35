import { createRandom } from './random.ts'
import { type AskedOfSections, markdown, names, type Place, pairs, times, type World } from './world.ts'

/**
 * Rulebooks of an invented game (seed document 000). Spells refer to conditions, and keep their higher levels in a section
 * that does not repeat their names: structure leads there. A second book holds other spells of the same names, lore speaks
 * of the same things without a rule, and questions abbreviate what the books write out.
 */
export function rulebook(seed: number): World {
  const cast = castOf(seed)
  const files = Object.fromEntries(
    chaptersOf(cast).map(({ book, title, sections }) => [
      pathOf(book, title),
      `---\nbook: ${book}\n---\n\n# ${title}\n\n${sections.map(([name, text]) => `## ${name}\n\n${text}`).join('\n\n')}\n`,
    ]),
  )
  return markdown(files, askedOf(cast))
}

type Cast = ReturnType<typeof castOf>
type Spell = Cast['spells'][number]

function castOf(seed: number) {
  const random = createRandom(seed)
  const conditions = random
    .shuffle(CONDITIONS.split(' '))
    .map((name, index) => ({ name, effect: EFFECTS[index] }))
  const courts = names(random, 22).map((name) => `Court of ${name}`)
  const first = 'Brine Ember Glass Hollow Iron Moth Quiet Salt'
  const spells = pairs(random, 44, first, 'Bell Chain Door Hymn Lance Veil Ward').map((name, index) => ({
    name,
    court: courts[index % courts.length],
    condition: conditions[(index * 5) % conditions.length].name,

    level: 1 + (index % 4),
    reach: 10 + 5 * random.int(20),
    save: random.pick(['Strength', 'Dexterity', 'Wisdom']),
    school: random.pick(['Abjuration', 'Conjuration', 'Enchantment', 'Evocation', 'Illusion']),
  }))
  const items = pairs(random, 16, 'Coral Dusk Ferry Gale', 'Buckler Coat Gauntlet Helm Mantle').map(
    (name, index) => ({ name, bonus: 1 + (index % 4), weight: 3 + index }),
  )
  const songs = names(random.fork('songs'), 18)
  const places = pairs(random, 18, 'Amber Low Old White', 'Cairn Ford Haven Mill Quay').map(
    (name, index) => ({
      name,
      region: REGIONS[index % REGIONS.length],
      founder: FOUNDERS[index % FOUNDERS.length],
      song: songs[index],
      spell: spells[(index * 5) % spells.length].name,
    }),
  )
  return { conditions, courts, spells, others: spells.slice(0, 10), items, places }
}

interface Chapter {
  readonly book: 'core' | 'deep'
  readonly title: string
  readonly sections: readonly (readonly [name: string, text: string])[]
}

function chaptersOf({ conditions, courts, spells, others, items, places }: Cast): Chapter[] {
  const armour = items.map(({ name, bonus, weight }): [string, string] => [
    name,
    `While you wear it your Armor Class has a bonus of ${bonus}. It weighs ${weight} stone.`,
  ])
  const core = (title: string, sections: Chapter['sections']): Chapter => ({ book: 'core', title, sections })
  return [
    core('Actions', ACTIONS),
    core('Glossary', GLOSSARY),
    core('Equipment', [
      ...armour,
      ['AC Ledger', `The AC Ledger names every ferry of the coast. Its keeper is the clerk ${FOUNDERS[0]}.`],
    ]),
    core(
      'Conditions',
      conditions.map(({ name, effect }) => [name, effect]),
    ),
    ...courts.map((court) =>
      core(
        court,
        spells.filter((spell) => spell.court === court).map((spell) => [spell.name, spellText(spell)]),
      ),
    ),
    ...REGIONS.map((region) =>
      core(
        region,
        places
          .filter((place) => place.region === region)
          .map(({ name, founder, spell, song }) => [
            name,
            `Old tales tell that ${founder} founded ${name} in a hard winter. Its bells rang by themselves when ${spell} was first sung there, and a song called ${song} is all that is left.`,
          ]),
      ),
    ),
    {
      book: 'deep',
      title: 'Deep Spells',
      sections: others.map((spell) => [spell.name, spellText({ ...spell, reach: spell.reach + 35 })]),
    },
  ]
}

const pathOf = (book: string, title: string) => `${book}/${title.toLowerCase().replaceAll(' ', '-')}.md`
const placeOf = (title: string, ...headings: string[]): Place => [pathOf('core', title), title, ...headings]

function spellText({ school, condition, level, reach, save }: Spell): string {
  return `*Level ${level} ${school} (Warden)*

A creature within ${reach} feet must make a ${save} saving throw or has the condition that is told elsewhere (see "${condition}").

### Higher Levels

Used with a stronger slot it reaches ${5 * level} feet further, and one more creature must make the saving throw.`
}

function askedOf({ conditions, spells, others, items, places }: Cast): AskedOfSections[] {
  const spellAt = ({ court, name }: Spell) => placeOf(court, name)
  const core = (category: string, text: string, ...gold: Place[]): AskedOfSections => ({
    text,
    category,
    gold,
    metadata: { book: 'core' },
  })
  return [
    ...spells.slice(0, 22).map((spell) => core('spell', `How far does ${spell.name} reach?`, spellAt(spell))),
    ...others.map(
      ({ name }): AskedOfSections => ({
        text: `How far does ${name} of the deep book reach?`,
        category: 'other book',
        metadata: { book: 'deep' },
        gold: [[pathOf('deep', 'Deep Spells'), 'Deep Spells', name]],
      }),
    ),
    ...spells
      .slice(12, 34)
      .map((spell) =>
        core('next section', `What does ${spell.name} gain with a higher slot?`, [
          ...spellAt(spell),
          'Higher Levels',
        ]),
      ),
    ...spells
      .slice(22, 44)
      .map((spell) =>
        core(
          'reference',
          `What can a creature not do under ${spell.name}?`,
          placeOf('Conditions', spell.condition),
          spellAt(spell),
        ),
      ),
    ...items
      .slice(0, 12)
      .map(({ name }) =>
        core('abbreviation', `What AC bonus does the ${name} give?`, placeOf('Equipment', name)),
      ),
    ...GLOSSARY.map(([name], index) =>
      core('abbreviation', `What does ${SHORT[index]} mean?`, placeOf('Glossary', name)),
    ),
    core('abbreviation', 'Who keeps the AC Ledger?', placeOf('Equipment', 'AC Ledger')),
    ...places.map(({ name, region }) => core('lore', `Who founded ${name}?`, placeOf(region, name))),
    ...places.slice(0, 8).map(({ song, name, region }) => core('lone word', song, placeOf(region, name))),
    ...['Strength', 'Dexterity', 'Wisdom'].map((save) =>
      core(
        'across',
        `Which spells need a ${save} saving throw?`,
        ...spells.filter((spell) => spell.save === save).map(spellAt),
      ),
    ),
    ...conditions.map(({ name }) =>
      core(
        'across',
        `Which spells leave a creature ${name}?`,
        ...spells.filter((spell) => spell.condition === name).map(spellAt),
      ),
    ),
    ...ACTIONS.map(([name]) =>
      core('action', `What can I do with the ${name} action?`, placeOf('Actions', name)),
    ),
    ...conditions
      .slice(0, 10)
      .map(({ name }) =>
        core('condition', `What can a ${name} creature not do?`, placeOf('Conditions', name)),
      ),
  ]
}

const CONDITIONS = 'Ashen Becalmed Dazed Fettered Gasping Hushed Listing Mired Numbed Reeling Sodden Wavering'
const LOST = ['move', 'speak', 'take reactions', 'see beyond 10 feet', 'cast', 'stand up']
const EFFECTS = times(
  12,
  (index) =>
    `A creature with this condition can't ${LOST[index % 6]} ${index < 6 ? 'until its next turn' : 'until it rests'}. Attack rolls against it have Advantage.`,
)
const FOUNDERS = 'Adra Corrin Edda Hesper Jorun Kessa Maren Orsa Petra'.split(' ')
const REGIONS = ['The North Coast', 'The Marshes', 'The Old Islands']
const ACTIONS = [
  ['Brace', "You set your feet. Until your next turn you can't be pushed."],
  ['Dash', 'You move once more in this turn, up to your speed.'],
  ['Hail', 'You call an ally within 60 feet, who can move 10 feet at once.'],
  ['Parry', 'You add 2 to your Armor Class against one attack roll that you see.'],
  ['Search', 'You look for what is hidden, with an ability check against its Difficulty Class.'],
  ['Steady', 'You regain Hit Points equal to your level, once before each rest.'],
] as const
/** Abbreviations of configs/systems/rulebook.yaml, in the order of the glossary. */
const SHORT = ['AC', 'HP', 'DC', 'DM', 'PC'] as const
const GLOSSARY = [
  ['Armor Class', 'Armor Class is the number that an attack roll must reach to hit.'],
  ['Hit Points', 'Hit Points say how much harm a creature bears. At 0 it falls.'],
  ['Difficulty Class', 'Difficulty Class is the number that a saving throw or an ability check must reach.'],
  ['Game Master', 'The Game Master tells what happens and decides where the rules are silent.'],
  ['Player Character', 'A player character is led by one of the players, who speaks for it.'],
] as const
