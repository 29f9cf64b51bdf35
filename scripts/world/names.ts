/**
 * Names of one invented coast. Every name is a function of a number, injective within its kind, so that a million
 * passages never call two things by one name unless the world wants them to.
 */
const GIVEN_F =
  'Adra Bessa Corrin Dessa Edda Fenna Hesper Ilva Jorun Kessa Lirra Maren Nessa Orsa Petra Rusa Sabra Senna Tamsa Ulla Vesna Wenna Yssa Zella Isolt Marit Oda Thessa'.split(
    ' ',
  )
const GIVEN_M =
  'Alic Brannoc Cael Doran Emeric Fintan Garrec Hask Ioan Jory Kester Lorcan Maddoc Nial Odo Perrin Quill Rurik Sorley Tobin Ulric Wystan Yoric Aldo Bram Cuno Evert Gaspar'.split(
    ' ',
  )
const HEADS =
  'Ver Hal Tol Mor Quen Ister Bel Cald Dren Falk Gren Harr Jass Kest Lor Nev Ost Pell Rusk Sarn Thur Ulv Wend Yarl Brack Cott Dusk Eld Farr Gosk'.split(
    ' ',
  )
const SURNAME_TAILS =
  'ane arrow ett holt ick ovar low rin iver enna ander isk orme une eby alder oss ingle ebrand amy'.split(' ')
const PLACE_TAILS = 'haven mouth sund fell ness moor gate mere ford hythe skerry combe stow garth wold'.split(
  ' ',
)
const MIDDLES = [
  'a',
  'en',
  'i',
  'o',
  'um',
  'er',
  'as',
  'ol',
  'un',
  'ath',
  'ig',
  'ul',
  'ev',
  'im',
  'ond',
  'ar',
  'esh',
  'ok',
  'yl',
]
const SHIP_FIRST =
  'Grey Patient Silent Amber Second Copper Late Honest Northern Hollow Bright Widow Salt Winter Constant Blue Narrow Merry Iron Quiet Tall Far Little Red Old'.split(
    ' ',
  )
const SHIP_LAST =
  'Heron Sister Lantern Wave Petrel Thistle Candle Orchard Gannet Promise Plough Otter Anvil Swallow Bell Harrow Curlew Ferry Ember Almanac Sparrow Hinge Willow Tern Kettle'.split(
    ' ',
  )
const LEARNED_TAILS = 'ine ian ese ean ary ent ude ical ory ane'.split(' ')
const LANDFALL_TAILS = 'nook reach strand spit rock bank deep holm point inlet'.split(' ')
const QUARREL_FIRST =
  'Borrowed Crooked Missing Painted Unpaid Wooden Drowned Sealed Golden Double Tame Forgotten Greased Hired Inverted Loose Midnight Nameless Overdue Pickled Rusty Spotted Twisted Unlucky'.split(
    ' ',
  )
const QUARREL_LAST =
  'Goose Ledger Apron Turnip Mirror Teapot Ladder Inkwell Trombone Wreath Sausage Bonnet Kennel Parasol Staircase Melon Gavel Funnel Cravat Locket Bucket Scarf Whistle Trunk'.split(
    ' ',
  )
const BODIES = [
  'College of Tides',
  'Lantern House',
  'Meridian Society',
  'Observatory',
  'Hydrographic Office',
  'Weather House',
  'Cabinet of Stones',
  'School of Pilots',
  'Botanic Hall',
  'Chart Room',
  'Guild of Measurers',
  'Reading House',
]
const DEVICES = [
  'dip circle',
  'tide clock',
  'sounding reel',
  'ice glass',
  'wind rose',
  'salt balance',
  'star frame',
  'echo horn',
  'rain gauge',
  'depth bell',
  'current vane',
  'sun dial plate',
]

export const DEVICE_KINDS: readonly string[] = DEVICES

/** The parts of `number` in the mixed radix of `sizes`, smallest first; what is left over stands last. */
function digits(number: number, ...sizes: number[]): number[] {
  const parts: number[] = []
  let rest = number
  for (const size of sizes) {
    parts.push(rest % size)
    rest = Math.floor(rest / size)
  }
  return [...parts, rest]
}

/** Walks a range in strides, so that neighbours in number do not look alike. `size` and `stride` must be coprime. */
const stride = (number: number, size: number, step: number) =>
  Math.floor(number / size) * size + (((number % size) * step) % size)

/** Syllables between head and tail, for as many names as are wanted: none, then one, then two. Bijective base 19. */
function middle(number: number): string {
  if (number === 0) return ''
  return MIDDLES[(number - 1) % MIDDLES.length] + middle(Math.floor((number - 1) / MIDDLES.length))
}

export function surname(number: number): string {
  const [head, tail, rest] = digits(stride(number, 600, 217), HEADS.length, SURNAME_TAILS.length)
  return HEADS[head] + middle(rest) + SURNAME_TAILS[tail]
}

export function placeName(number: number): string {
  const [tail, head, rest] = digits(stride(number, 450, 191), PLACE_TAILS.length, HEADS.length)
  return HEADS[head] + middle(rest) + PLACE_TAILS[tail]
}

export function shipName(number: number): string {
  const [first, last, rest] = digits(stride(number, 625, 277), SHIP_FIRST.length, SHIP_LAST.length)
  const name = `${SHIP_FIRST[first]} ${SHIP_LAST[last]}`
  return rest === 0 ? name : `${name} of ${placeName(rest + 400)}`
}

/** The coined adjective of an institute: `Verrine`. */
export function learnedName(number: number): string {
  return coined(stride(number, 300, 131), LEARNED_TAILS)
}

/** A landmark that an expedition is named after: `Verholm`. */
export function landfallName(number: number): string {
  return coined(stride(number, 300, 173), LANDFALL_TAILS)
}

function coined(number: number, tails: readonly string[]): string {
  const [head, tail, rest] = digits(number, HEADS.length, tails.length)
  return HEADS[head] + middle(rest) + tails[tail]
}

/** What a quarrel was nominally about: `Borrowed Goose`. */
export function quarrelName(number: number): string {
  const [first, last, rest] = digits(stride(number, 576, 245), QUARREL_FIRST.length, QUARREL_LAST.length)
  const name = `${QUARREL_FIRST[first]} ${QUARREL_LAST[last]}`
  return rest === 0 ? name : `${placeName(rest + 400)} ${name}`
}

export const givenName = (female: boolean, number: number): string => {
  const list = female ? GIVEN_F : GIVEN_M
  return list[number % list.length]
}
export const bodyName = (number: number): string => BODIES[number % BODIES.length]
export const deviceName = (number: number): string => DEVICES[number % DEVICES.length]

/** Hands out names in order and never one twice: two numbers may spell one word (`Hal` + `low`, `Hall` + `ow`). */
export function allot(spell: (number: number) => string): () => string {
  const taken = new Set<string>()
  let number = 0
  return () => {
    for (;;) {
      const name = spell(number++)
      if (taken.has(name)) continue
      taken.add(name)
      return name
    }
  }
}
