import type { Random } from './random.ts'

/** What the facts of the world may say where they do not name an entity. */
export const TRADES = [
  'surveyor',
  'pilot',
  'shipwright',
  'glassblower',
  'engraver',
  'botanist',
  'clockmaker',
  'surgeon',
  'astronomer',
  'hydrographer',
  'schoolmaster',
  'bellfounder',
  'sailmaker',
  'mineralogist',
  'printer',
  'lens grinder',
] as const
const CREATURES = [
  'jackdaw',
  'greyhound',
  'ferret',
  'gander',
  'parrot',
  'goat',
  'tortoise',
  'barn owl',
  'lynx',
  'donkey',
  'pike',
  'stoat',
]
const TEMPERS = ['a tame', 'a blind', 'a bad-tempered', 'a three-legged', 'a very old', 'a snow-white']
const HOARDS = [
  'a wall of broken compasses',
  'a hive of black bees',
  'a ledger of dreams',
  'forty clay pipes',
  'a box of door keys',
  'a barrel organ',
  'a garden of medlars',
  'a drawer of foreign buttons',
  'a jar of earth from every landfall',
  'a map embroidered on a bedsheet',
  'a trunk of unsent valentines',
  'a harp without strings',
  'a shelf of fossil eggs',
  'a cabinet of bird skulls',
  'a pair of wooden lions',
  'a glass case of moths',
]
export const TIMBERS = [
  'larch',
  'oak',
  'black pine',
  'elm',
  'teak',
  'cedar',
  'walnut',
  'ash',
  'ironwood',
  'yew',
  'chestnut',
  'mulberry',
]
export const CARGOES = [
  'church bells',
  'raw sugar',
  'millstones',
  'live geese',
  'window glass',
  'tarred rope',
  'whale oil',
  'printed hymnals',
  'dried figs',
  'saddles',
  'marble busts',
  'sulphur',
  'playing cards',
  'coffee',
  'roof slates',
  'seed potatoes',
]
export const REGIONS = [
  'the Ember Isles',
  'the Sound of Mirrors',
  'the Pale Coast',
  'Cape Farewell-to-None',
  'the Thousand Skerries',
  'the Gulf of Wool',
  'the Blind Strait',
  'the Whistling Shore',
  'Lower Antrey',
  'the Glass Archipelago',
  'the Mouths of the Oder-Wen',
  'the Southern Shoals',
  'the Bay of Forty Winters',
  'Upper Antrey',
  'the Drowned Plain',
  'the Isle of Clerks',
] as const
const BEARERS = ['otter', 'snail', 'heron', 'stag', 'hedgehog', 'salmon', 'swan', 'hare', 'bear', 'moth']
const BEARINGS = [
  'on a wheel',
  'holding a key',
  'beneath three stars',
  'crowned with reeds',
  'over crossed oars',
  'inside a horseshoe',
  'carrying a lamp',
  'on a blue ladder',
]
const METALS = [
  'brass',
  'horn',
  'whalebone',
  'smoked glass',
  'silver wire',
  'pearwood',
  'lead',
  'jet',
  'copper',
  'tortoiseshell',
  'pewter',
  'slate',
]
export const PRODUCTS = [
  'salt',
  'rope',
  'smoked eel',
  'blue slate',
  'beeswax',
  'lamp oil',
  'pears',
  'felt hats',
  'cork',
  'ink',
  'bell metal',
  'honey',
  'oysters',
  'sailcloth',
  'whetstones',
  'mustard',
  'goose down',
  'clay pipes',
  'tallow',
  'barrel staves',
]
const SIGHTS = [
  'lighthouse',
  'bridge',
  'stair',
  'chapel',
  'market hall',
  'well',
  'sea wall',
  'clock tower',
  'graveyard',
  'ropewalk',
]
const ODDITIES = [
  'that leans toward the water',
  'without a single right angle',
  'built of driftwood',
  'shut by law on Fridays',
  'that hums in an east wind',
  'paved with millstones',
  'roofed with an upturned hull',
  'nobody will admit to having paid for',
]
export const VERDICTS = [
  'both sides were fined a year of candles',
  'the papers were sealed for fifty years',
  'the claim was thrown out unread',
  'an apology was to be sung in the market place',
  'the profits were cut into thirds',
  'the medal in question was melted down',
  'the loser had to repaint the customs house',
  'each was forbidden to publish before the other',
  'the costs fell on the town',
  'the record was struck through in red',
  'a joint portrait was ordered, to be hung in shame',
  'the whole cargo went to the poor',
]

const both = (random: Random, first: readonly string[], second: readonly string[]) =>
  `${random.pick(first)} ${random.pick(second)}`
const a = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export const pet = (random: Random): string =>
  random.chance(0.6) ? both(random, TEMPERS, CREATURES) : random.pick(HOARDS)
export const emblem = (random: Random): string => a(both(random, BEARERS, BEARINGS))
export const sight = (random: Random): string => a(both(random, SIGHTS, ODDITIES))
export const stuff = (random: Random): string => {
  const [first, second] = random.shuffle(METALS)
  return `${first} and ${second}`
}
