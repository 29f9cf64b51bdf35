import { createRandom } from './random.ts'
import { type Asked, beir, names, type Passage, pairs, times, type World } from './world.ts'

/**
 * Guilds, masters, workshops and wares (seed document 003), a page each. Pages name one another, so that graphs have
 * something to walk. Kinds of questions differ by what finds them: a fact, an entity, a link over two pages, an overview
 * over many. The rules of the router read some of them wrongly: a fact with two capitals, "link" within "blinking".
 */
export function sixStrategies(seed: number): World {
  const random = createRandom(seed)
  const guildNames = names(random, 10)
  const people = names(random.fork('people'), 60)
  const masterNames = times(30, (index) => `${people[index]} ${people[30 + index]}`)
  const guilds = guildNames.map((name, index) => ({
    name: `${name} Guild`,
    craft: CRAFTS[index],
    town: TOWNS[index % TOWNS.length],
  }))
  const masters = masterNames.map((name, index) => ({
    name,
    guild: guilds[index % 10],
    born: 1400 + 3 * index,
    pupil: masterNames[(index + 11) % 30],
  }))
  const wares = pairs(
    random,
    30,
    'Blue Blinking Double Late Plain Royal',
    'Astrolabe Basin Chalice Lantern Saddle Tapestry',
  ).map((name, index) => ({ name, master: masters[index], price: 20 + 7 * index }))
  const page = (title: string, text: string): Passage => ({ title, text })
  const guildPages = guilds.map(({ name, craft, town }) =>
    page(
      name,
      `The ${name} of ${town} works in ${craft}. It was chartered in the year of the long frost and keeps its seal in ${town}.`,
    ),
  )
  const masterPages = masters.map(({ name, guild, born, pupil }) =>
    page(
      name,
      `${name}, born in ${born}, was a master of the ${guild.name}. The best pupil of ${name} was ${pupil}.`,
    ),
  )
  const warePages = wares.map(({ name, master, price }) =>
    page(
      name,
      `The ${name} was made by ${master.name}. It was sold for ${price} crowns and is kept under glass.`,
    ),
  )
  const feasts = times(20, (index) =>
    page(
      `Feast of ${1450 + index}`,
      `At the feast of ${1450 + index} the ${guilds[index % 10].name} and the ${guilds[(index + 3) % 10].name} quarrelled over ${FOODS[index % FOODS.length]}. Everyone was fed.`,
    ),
  )
  const towns = TOWNS.map((town) =>
    page(
      town,
      `${town} lies on the river. ${TOWN_WORDS} ${guilds
        .filter((guild) => guild.town === town)
        .map(({ craft }) => craft)
        .join(' and ')} made it rich.`,
    ),
  )
  const questions: Asked[] = [
    ...wares
      .slice(0, 22)
      .map(({ name, price }, index) => ({
        text: `What is the price of the ${name.toLowerCase()}?`,
        category: 'fact',
        gold: [warePages[index]],
        answers: [`${price} crowns`, String(price)],
      })),
    ...masters
      .slice(0, 22)
      .map(({ name, born }, index) => ({
        text: `When was ${name} born?`,
        category: 'entity',
        gold: [masterPages[index]],
        answers: [String(born)],
      })),
    ...wares
      .slice(0, 24)
      .map(({ name, master }, index) => ({
        text: `Where was the guild at home whose master made the ${name}?`,
        category: 'three pages',
        gold: [warePages[index], masterPages[index], guildPages[guilds.indexOf(master.guild)]],
        answers: [master.guild.town],
      })),
    ...masters
      .slice(0, 22)
      .map(({ name, pupil }, index) => ({
        text: `What is the link between ${name} and the guild of the best pupil?`,
        category: 'link',
        gold: [masterPages[index], masterPages[masterNames.indexOf(pupil)]],
        answers: [pupil],
      })),
    ...guilds.map(({ name, craft }, index) => ({
      text: `Give an overview of the masters who worked in ${craft}.`,
      category: 'overview',
      gold: [guildPages[index], ...masterPages.filter((_, at) => masters[at].guild.name === name)],
    })),
    ...guilds.map(({ name }, index) => ({
      text: `Summarize the quarrels of the ${name}.`,
      category: 'overview',
      gold: feasts.filter((_, at) => at % 10 === index || (at + 3) % 10 === index),
    })),
  ]
  return beir([...guildPages, ...masterPages, ...warePages, ...feasts, ...towns], questions)
}

const CRAFTS = [
  'gold leaf',
  'saddlery',
  'clockwork',
  'dyed wool',
  'blown glass',
  'carved bone',
  'bell founding',
  'paper',
  'river barges',
  'black iron',
]
const TOWNS = 'Osterbruck Vielmouth Harkness Lindow Temble'.split(' ')
const FOODS = ['the salt', 'a roast swan', 'the order of the seats', 'the price of wine', 'a missing pie']
const TOWN_WORDS = 'Its walls were raised twice, its market is held on the second day.'
