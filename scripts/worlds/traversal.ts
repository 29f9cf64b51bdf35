import { createRandom } from './random.ts'
import { type Asked, beir, names, type Passage, pairs, times, type World } from './world.ts'

/**
 * Feats, talents and places with tags and traits (seed document 001). Common words ("feat", "back") stand everywhere and pairs
 * of words mean more than the words: "covering fire" against "fire" and "cover". Some questions name a feat, some only
 * describe what it does, and some use its words in another order.
 */
export function traversal(seed: number): World {
  const random = createRandom(seed)
  const tags = random.shuffle(TAGS.split(' '))
  const owners = names(random, 30)
  const feats = pairs(
    random,
    60,
    'Covering Crossing Falling Guarding Rising Turning Waiting',
    'Fire Guard Hand Line Shot Step Stone Tide Watch',
  ).map((name, index) => ({
    name,
    tag: tags[index % tags.length],
    trait: TRAITS[index % TRAITS.length],
    effect: EFFECTS[(index + Math.floor(index / owners.length)) % EFFECTS.length],
    owner: owners[index % owners.length],
  }))
  const featPages = feats.map(
    ({ name, tag, trait, effect, owner }): Passage => ({
      title: name,
      text: `This feat was first taught by ${owner}. ${effect.told} You get it back after a rest, as with any feat.`,
      metadata: { tag: [tag], trait: [trait] },
    }),
  )
  // The words of a feat's name, apart: what counts tokens alone finds these first.
  const noise = feats.slice(0, 40).map(({ name }, index): Passage => {
    const [first, second] = name.toLowerCase().split(' ')
    return {
      title: `Note ${index + 1}`,
      text: `${second} and more ${second}: a feat goes back to one who was ${first} all day, and the ${second} was late. Be back at the feat of ${owners[(index * 3) % owners.length]}.`,
    }
  })
  const people = owners.map(
    (name, index): Passage => ({
      title: name,
      text: `${name} kept a school at the ${PLACES[index % PLACES.length]} and was paid in ${PAY[index % PAY.length]}.`,
    }),
  )
  const tagPages = tags.map(
    (tag, index): Passage => ({
      title: `Group: ${tag}`,
      text: `What counts as ${tag} is told by the council, which meets at the ${PLACES[index % PLACES.length]}.`,
    }),
  )
  const questions: Asked[] = [
    ...feats
      .slice(0, 30)
      .map(({ name }, index) => ({
        text: `What does the feat ${name.toLowerCase()} do?`,
        category: 'name',
        gold: [featPages[index]],
      })),
    ...times(24, (index) => ({
      text: `Which feat of ${feats[index + 6].owner} ${feats[index + 6].effect.asked}?`,
      category: 'description',
      gold: [featPages[index + 6]],
    })),
    ...owners
      .slice(0, 20)
      .map((name, index) => ({ text: `How was ${name} paid?`, category: 'person', gold: [people[index]] })),
    ...tags.map((tag) => ({
      text: `List what is ${tag}.`,
      category: 'tag',
      gold: featPages.filter((_, index) => feats[index].tag === tag),
    })),
    ...tags.map((tag, index) => ({
      text: `Who decides what counts as ${tag}?`,
      category: 'group',
      gold: [tagPages[index]],
    })),
    ...feats
      .slice(30, 52)
      .map(({ name, owner }, index) => ({
        text: `When I come back from the ${name.split(' ').reverse().join(' ').toLowerCase()}, what does the feat of ${owner} give?`,
        category: 'turned',
        gold: [featPages[30 + index]],
      })),
  ]
  return beir([...featPages, ...noise, ...people, ...tagPages], questions)
}

const TAGS = 'aerial arcane battle courtly fishing hidden marching nightly sworn watery'
const TRAITS = ['Archer', 'Baker', 'Herald', 'Pilot', 'Warden'] as const
const PLACES = ['mill', 'weir', 'north gate', 'glass house', 'old ferry', 'salt store'] as const
const PAY = ['eels', 'candles', 'silver', 'cloth', 'promises'] as const
const EFFECTS = [
  {
    told: 'Arrows fall so thickly that nobody dares to leave the trench.',
    asked: 'keeps enemies in their holes by shooting',
  },
  {
    told: 'A comrade who stands beside you is hit in your place no more.',
    asked: 'shields the one next to you',
  },
  { told: 'The sea carries you twenty yards without a boat.', asked: 'lets you swim far' },
  { told: 'You hear steps on gravel from the other bank.', asked: 'sharpens your ears' },
  { told: 'Doors open to your knock, whoever locked them.', asked: 'gets you through a lock' },
  { told: 'You sleep for one hour and wake as after eight.', asked: 'makes a nap enough' },
] as const
