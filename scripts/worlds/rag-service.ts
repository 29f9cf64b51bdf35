import { createRandom } from './random.ts'
import { type AskedOfSections, markdown, names, type Place, pairs, times, type World } from './world.ts'

/**
 * Rules of a skirmish game (seed document 002): teams with operatives and abilities under headings. Players ask in their own
 * words (synonyms), in lower case (keywords that read as common words), and about two things at once (hops by heading).
 */
export function ragService(seed: number): World {
  const random = createRandom(seed)
  const teams = names(random, 9)
  const abilityNames = pairs(
    random,
    45,
    'Ambush Blast Feint Grim Lure March Rapid Shadow',
    'Cover Drill Gift Oath Order Step Volley',
  )
  const abilities = abilityNames.map((name, index) => ({
    name,
    team: teams[index % teams.length],
    points: 2 + (index % 5),
    kind: KINDS[index % KINDS.length],
    partner: abilityNames[(index + 9) % abilityNames.length],
  }))
  const rules = RULES.map(([name, text]) => ({ name, text }))
  const files: Record<string, string> = {
    'core.md': `# Core Rules\n\n${rules.map(({ name, text }) => `## ${name}\n\n${text}`).join('\n\n')}\n`,
  }
  for (const team of teams)
    files[`team-${team.toLowerCase()}.md`] = `# ${team}\n\n${abilities
      .filter((ability) => ability.team === team)
      .map(
        ({ name, points, kind, partner }) =>
          `## ${name}\n\n${kind(points)} It ends the effect of ${partner}.`,
      )
      .join(
        '\n\n',
      )}\n\n## Lore\n\n${loreOf(team, teams.indexOf(team), abilities[teams.indexOf(team)].name.toLowerCase())}\n`
  const placeOf = ({ name, team }: (typeof abilities)[number]): Place => [
    `team-${team.toLowerCase()}.md`,
    team,
    name,
  ]
  const loreAt = (team: string): Place => [`team-${team.toLowerCase()}.md`, team, 'Lore']
  const ruleAt = (name: string): Place => ['core.md', 'Core Rules', name]
  const questions: AskedOfSections[] = [
    ...abilities
      .slice(0, 30)
      .map((ability) => ({
        text: `what does ${ability.name.toLowerCase()} do?`,
        category: 'lower case',
        gold: [placeOf(ability)],
      })),
    ...abilities.slice(0, 35).map((ability, index) => {
      const other = abilities[(index * 7 + 13) % abilities.length]
      return {
        text: `Does ${ability.name} of ${ability.team} still work beside ${other.name}, and how many points does each cost?`,
        category: 'two headings',
        gold: [placeOf(ability), placeOf(other)],
      }
    }),
    ...abilities.slice(10, 35).map((ability) => ({
      text: `Which team has the ability that ${ability.name} ends?`,

      category: 'chain',
      gold: [placeOf(ability), placeOf(abilities[abilityNames.indexOf(ability.partner)])],
    })),
    ...INFORMAL.map(([text, rule]) => ({ text, category: 'informal', gold: [ruleAt(rule)] })),
    ...teams.map((team) => ({
      text: `What is told of the life of the ${team} before the war?`,
      category: 'lore',
      gold: [loreAt(team)],
    })),
    ...teams.map((_, index) => ({
      text: `Which teams were ${times(7, (step) => TRADES[(index + step) % 9]).join(', ')} before the war, and what does ${abilities[index].name} cost?`,
      category: 'many things',
      gold: [...times(7, (step) => loreAt(teams[(index + step) % 9])), placeOf(abilities[index])],
    })),
  ]
  return markdown(files, questions)
}

const KINDS = [
  (points: number) => `For ${points} points one operative fights twice in this turning point.`,
  (points: number) => `Pay ${points} points: a friendly operative regains ${points} hit points.`,
  (points: number) => `Costs ${points} points. Enemies within 6 inches cannot make an opportunity attack.`,
  (points: number) =>
    `At the price of ${points} points smoke hides two operatives until the turning point ends.`,
  (points: number) => `Spend ${points} points to reroll one die of each shot.`,
] as const

/** Trades of the teams; each word stands in one lore alone. */
const TRADES = 'farmers millers tanners coopers weavers potters sailors masons tinkers'.split(' ')

const loreOf = (team: string, index: number, words: string) =>
  `The ${team} were ${TRADES[index]}. Their life was hard, their health poor, and no one there could say how ${words} came to be their cry.`

const RULES = [
  ['Hit Points', 'Each operative begins with as many as its card says. At 0 it is removed from the board.'],
  ['Regaining', 'An operative that regains hit points never has more of them than at the beginning.'],
  [
    'Opportunity Attack',
    'An operative may strike once at an enemy that leaves its reach: an opportunity attack.',
  ],
  ['Injured', 'With fewer than half of its hit points an operative moves 2 inches less.'],
  ['Medics', 'A medic beside an operative lets it regain hit points: 3, once in a turning point.'],
  ['Retreating', 'Who moves slowly may leave the reach of an enemy without an opportunity attack.'],
  ['Sight', 'A line from eye to target must be free. Smoke and walls block it.'],
  ['Dice', 'A six is always a success, a one never.'],
] as const

const INFORMAL = [
  ['How much health do I start with?', 'Hit Points'],
  ['What happens when my hp run out?', 'Hit Points'],
  ['Can I heal above what I started with?', 'Regaining'],
  ['Is there a limit to healing?', 'Regaining'],
  ['When do I get a free attack?', 'Opportunity Attack'],
  ['What is an attack of opportunity?', 'Opportunity Attack'],
  ['Am I slower at low health?', 'Injured'],
  ['Who can heal my operative?', 'Medics'],
  ['How do I recover hp from a medic?', 'Medics'],
  ['How do I walk away without a free attack?', 'Retreating'],
  ['Do I get shot through smoke?', 'Sight'],
  ['Is a one ever good?', 'Dice'],
] as const satisfies readonly (readonly [string, (typeof RULES)[number][0]])[]
