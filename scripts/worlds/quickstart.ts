import * as words from './quickstart-words.ts'
import { createRandom, type Random } from './random.ts'
import { type Asked, beir, names, type Passage, pairs, times, type World } from './world.ts'

interface Records {
  readonly passages: readonly Passage[]
  readonly asked: readonly Asked[]
}

/**
 * Records of an invented coast: inventory, chronicle, lives, works, ships, peaks, and the minutes of societies. The five
 * categories of questions differ by what finds their gold: exact words (code), the meaning of other words (paraphrase), a
 * name on the way (bridge), two names (comparison), and a group of passages (overview). No two questions share a gold
 * passage. More blocks make a larger world of the same kind, to measure time and memory.
 */
export function quickstart(seed: number, blocks = 1, queries = Number.POSITIVE_INFINITY): World {
  const { passages, asked } = records(seed, blocks)
  const count = Math.min(queries, asked.length)
  const evenly = times(count, (index) => asked[Math.floor((index * asked.length) / count)])
  return beir(passages, evenly)
}

export function records(seed: number, blocks: number): Records {
  const parts = times(blocks, (index) => block(createRandom(seed).fork(String(index)), index))
  return joined(parts)
}

const joined = (parts: readonly Records[]): Records => ({
  passages: parts.flatMap(({ passages }) => passages),
  asked: parts.flatMap(({ asked }) => asked),
})

function block(random: Random, index: number): Records {
  const cast = castOf(random, index)
  const parts = [inventory, chronicle, worksAndLives, ships, peaks, societies].map((part) => part(cast))
  const { passages, asked } = joined(parts)
  return { passages: random.shuffle(passages), asked }
}

type Values = Readonly<Record<string, string | number>>

/** Names and draws of a block. Names of no two blocks are the same. */
interface Cast {
  readonly index: number
  readonly random: Random
  readonly towns: readonly string[]
  readonly people: readonly { readonly person: string; readonly surname: string }[]
  /** The next unused names. */
  readonly take: (count: number) => string[]
}

/** Surnames; people from here on are namesakes, to whom no question leads. */
const SURNAMES = 45

function castOf(random: Random, index: number): Cast {
  const syllables = 'ba de gi lo mu na pe ri so tu'.split(' ')
  const middle = index === 0 ? '' : [...String(index)].map((digit) => syllables[Number(digit)]).join('')
  const unused = names(random.fork('names'), 220, middle)
  const take = (count: number) => unused.splice(0, count)
  const towns = take(12)
  const surnames = take(SURNAMES)
  const first = random.shuffle(words.FIRST_NAMES)
  const people = times(60, (place) => {
    const surname = surnames[place % SURNAMES]
    return { person: `${first[(place + (place < SURNAMES ? 0 : 5)) % first.length]} ${surname}`, surname }
  })
  return { index, random, towns, people, take }
}

interface Item {
  /** Values of the text's slots. */
  readonly values: Values
  readonly page: Passage
}

/** A passage by one of some templates. Slots without a value are drawn. */
function tell(
  { random, towns }: Cast,
  kind: string,
  title: string,
  templates: readonly string[],
  values: Values,
): Item {
  const all: Record<string, string | number> = { ...values }
  const template = random.pick(templates)
  for (const [, slot] of template.matchAll(SLOT))
    all[slot] ??= random.pick(slot === 'town' ? towns : words.DRAWN[slot])
  return { values: all, page: { title: fill(title, all), text: fill(template, all), metadata: { kind } } }
}

const SLOT = /\{(\w+)\}/g

function fill(template: string, values: Values): string {
  const text = template.replace(SLOT, (_, slot: string) => String(values[slot]))
  return text[0].toUpperCase() + text.slice(1)
}

const pagesOf = (items: readonly Item[]) => items.map(({ page }) => page)

/** Exact words: codes of an inventory, which lists of loans repeat. */
function inventory(cast: Cast): Records {
  const { random, people, index } = cast
  const numbers = random.shuffle(times(900, (number) => 1000 * index + 100 + number))
  const items = people.map(({ person }, place) => {
    const code = `K-${numbers[place]}`
    const [cabinet, year] = [`cabinet ${1 + random.int(40)}`, 1700 + random.int(190)]
    return tell(cast, 'inventory', 'Inventory {code}', words.CATALOGUE, { code, person, cabinet, year })
  })
  const loans = times(6, (list) => {
    const codes = items.filter((_, place) => place % 6 === list).map(({ values }) => values.code)
    const title = `Loans, list ${6 * index + list + 1}`
    return tell(cast, 'loan', title, words.LOANS, { codes: codes.join(', ') })
  })
  const questions = items.slice(0, 45).map(({ values, page }, place): Asked => {
    const [text, answer] = words.ITEM_QUESTIONS[place % 4]
    return { text: fill(text, values), category: 'code', gold: [page], answers: [String(values[answer])] }
  })
  return { passages: pagesOf([...items, ...loans]), asked: questions }
}

/** Other words: each story joins a trade and a mishap, and others share one of them. */
function chronicle(cast: Cast): Records {
  const stories = times(70, (place) => {
    const trade = words.TRADES[place % 14]
    const mishap = words.MISHAPS[(place + 3 * Math.floor(place / 14)) % 14]
    const year = 1780 + 2 * place + cast.random.int(2)
    const values = {
      town: cast.towns[place % cast.towns.length],
      year,
      trade: trade.told,
      mishap: mishap.told,
    }
    const item = tell(cast, 'chronicle', 'Chronicle of {town}, {year}', words.STORY, values)
    return { ...item, text: `When was it that ${trade.asked} at ${values.town} ${mishap.asked}?` }
  })
  const questions = stories.slice(0, 45).map(({ values, text, page }): Asked => {
    return { text, category: 'paraphrase', gold: [page], answers: [String(values.year)] }
  })
  return { passages: pagesOf(stories), asked: questions }
}

/** A name on the way: from a work to its maker, whom the question does not name. */
function worksAndLives(cast: Cast): Records {
  const { random, people, take } = cast
  const lives = people.map((person, place) => {
    const born = 1720 + random.int(120)
    const [{ craft }, died] = [words.WORKS[place % words.WORKS.length], born + 31 + random.int(50)]
    const teacher = people[(place + 17) % people.length].person
    return tell(cast, 'life', '{person}', words.LIFE, { ...person, born, died, craft, teacher })
  })
  const works = take(55).map((name, place) => {
    const { title, maker, texts } = words.WORKS[place % words.WORKS.length]
    const life = lives[place % SURNAMES]
    const year = Number(life.values.born) + 25 + random.int(6)
    const item = tell(cast, 'work', title, texts, { name, person: life.values.person, year })
    return { ...item, maker: maker.replace('{name}', name), life }
  })
  const questions = works.slice(0, SURNAMES).map(({ maker, life, page }, place): Asked => {
    const [text, answer] = words.MAKER_QUESTIONS[place % 4]
    const answers = [String(life.values[answer])]
    return { text: fill(text, { maker }), category: 'bridge', gold: [page, life.page], answers }
  })
  return { passages: pagesOf([...lives, ...works]), asked: questions }
}

/** Two names: ships share their words, and logs name ships without a year of launch. */
function ships(cast: Cast): Records {
  const { random, index, people } = cast
  const fleet = pairs(random, 44, ...words.SHIP_WORDS).map((name) => {
    const values = { ship: index === 0 ? name : `${name} ${index}`, year: 1790 + random.int(90) }
    return tell(cast, 'ship', '{ship}', words.SHIPS, values)
  })
  const logs = fleet.slice(0, 30).map(({ values: { ship } }) => {
    const { surname } = random.pick(people)
    return tell(cast, 'log', 'Log of the {ship}', words.LOGS, { ship, surname })
  })
  const questions = compared(
    fleet.slice(0, 36),
    'Which was launched first, the {a} or the {b}?',
    'ship',
    'year',
  )
  return { passages: pagesOf([...fleet, ...logs]), asked: questions }
}

/** Two names: peaks have rare ones, and walkers write of them without a height. */
function peaks(cast: Cast): Records {
  const { random, people, take } = cast
  const mountains = take(36).map((name) => {
    const { person } = random.pick(people)
    const values = {
      peak: `Mount ${name}`,
      person,
      year: 1800 + random.int(80),
      height: 600 + random.int(1500),
    }
    return tell(cast, 'peak', '{peak}', words.PEAKS, values)
  })
  const walks = mountains
    .slice(0, 24)
    .map(({ values: { peak } }) => tell(cast, 'walk', 'A walk on {peak}', words.WALKS, { peak }))
  const questions = compared(mountains, 'Which is lower, {a} or {b}?', 'peak', 'height')
  return { passages: pagesOf([...mountains, ...walks]), asked: questions }
}

/** A question about each pair of neighbours, answered by the one with the smaller value. */
function compared(items: readonly Item[], text: string, name: string, value: string): Asked[] {
  return times(items.length / 2, (pair) => {
    const [first, second] = items.slice(2 * pair)
    const [a, b] = [first.values[name], second.values[name]]
    const answer = first.values[value] < second.values[value] ? a : b
    const gold = [first.page, second.page]
    return { text: fill(text, { a, b }), category: 'comparison', gold, answers: [String(answer)] }
  })
}

/** A group of passages: the page of a society says who its members are, its minutes name only the society. */
function societies(cast: Cast): Records {
  const { random, people, take } = cast
  const bodies = take(words.SOCIETIES.length).map((name, place) => {
    const { told, asked: members } = words.SOCIETIES[place]
    const body = `${name} ${words.BODIES[place % words.BODIES.length]}`
    const year = 1830 + random.int(50)
    const values = { body, members, year, person: random.pick(people).person }
    const society = tell(cast, 'society', '{body}', words.SOCIETY, values)
    const troubles = random.shuffle(words.TROUBLES)
    const minutes = times(3, (meeting) => {
      const trouble = meeting === 1 ? `${told}. ${troubles[meeting]}` : troubles[meeting]
      const date = { year: year + 5 + 6 * meeting + random.int(5), number: 4 + random.int(30) }
      return tell(cast, 'minutes', 'Minutes of the {body}, {year}', words.MINUTES, { body, trouble, ...date })
    })
    const text = fill(words.THEMES[place % words.THEMES.length], society.values)
    return { text, pages: pagesOf([society, ...minutes]) }
  })
  const questions = bodies.map(({ text, pages }): Asked => ({ text, category: 'overview', gold: pages }))
  return { passages: bodies.flatMap(({ pages }) => pages), asked: questions }
}
