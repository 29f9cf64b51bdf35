import type { Term } from './term.ts'

export const TERMS_A_L: readonly Term[] = [
  {
    term: 'ashglass',
    title: 'Ashglass',
    meaning:
      'Glass melted with the ash of kelp comes out nearly black. Ashglass, which is its name on this coast, is used for looking at the sun, and by widows for windows on the street side.',
    answer: 'dark glass made with kelp ash, for looking at the sun',
    question: 'Define ashglass.',
    uses: [
      'A splinter of ashglass cost {him} the sight of one eye.',
      'The best ashglass in the house was cut into dominoes.',
      'The lenses were of ashglass and were stolen every year.',
    ],
    decoy: {
      title: 'The Ashglass Window',
      text: 'The ashglass window of {place} was paid for by {person} in {year}. It is the largest ashglass pane anywhere, and ashglass being what it is, sparrows are not deceived by it but bishops are.',
    },
  },
  {
    term: 'brinewed',
    title: 'Brinewed',
    meaning:
      'People who have exchanged vows by letter, one of them at sea, are a couple from the moment the second letter is posted. To be brinewed is binding for a year and a day; then the two must meet, or be free.',
    answer: 'married by letter, with one of the couple at sea',
    question: 'What does it mean to be brinewed?',
    uses: [
      '{She} was brinewed twice and never met either of them.',
      'Three of her people were brinewed and one was sorry.',
      'A brinewed couple once wintered in the cellar.',
    ],
  },
  {
    term: 'candle-hour',
    title: 'How Desks Are Let',
    meaning:
      'A reader pays by what burns: an inch of tallow, marked by a pin, is the candle-hour. It is shorter in summer, when the windows stand open, and disputes about draughts are as old as the libraries.',
    answer: 'candle-hour',
    question: 'In what unit is time at a library desk charged?',
    uses: [
      'A candle-hour there costs less than a bun.',
      '{She} died owing eleven hundred candle-hours.',
      'The librarian sells a candle-hour as if it were a limb.',
    ],
  },
  {
    term: 'drowse-bell',
    title: 'Under the Keel',
    meaning:
      'In thick weather a bell is lowered beneath the hull and rung there, since water carries what fog swallows. The drowse-bell has its name from the sleepers below, who hear it in their dreams and remember it as music.',
    answer: 'drowse-bell',
    question: 'What is the name of the thing that is struck below the surface when it is foggy?',
    uses: [
      'Her drowse-bell was cracked and told lies.',
      'The drowse-bell hung for years in the hall.',
      '{She} claimed to be able to tell any ship by its drowse-bell.',
    ],
  },
  {
    term: 'floating verdict',
    title: 'Floating Verdict',
    meaning:
      'A judge who despairs of both sides may order them to sail together for a year in one cabin. If neither has killed the other, the judgement lapses. Three in four who receive a floating verdict go into business together.',
    answer: 'floating verdict',
    question: 'What is a ruling called that makes the two opponents share a cabin?',
    uses: [
      'There was talk of a floating verdict, and both turned pale.',
      'Threatened with a floating verdict, {she} apologised.',
      'Two guests under a floating verdict had the back bedroom.',
    ],
  },
  {
    term: 'fogmaster',
    title: 'Fogmaster',
    meaning:
      'While nothing can be seen a crew obeys somebody it has chosen itself, by ear. The fogmaster commands from the first thick weather to the first clear horizon, and cannot afterwards be asked what the orders were.',
    answer: 'someone elected to command a ship only as long as there is fog',
    question: 'What is a fogmaster?',
    uses: [
      'As fogmaster {she} once commanded {her} own captain for nine days.',
      'A fogmaster was chosen, who turned out to be deaf.',
      'Her fogmaster had been a choirboy.',
    ],
    decoy: {
      title: 'The Last Fogmaster',
      text: 'The last fogmaster to be knighted was {person} of {place}, in {year}. A fogmaster at court was a novelty. The fogmaster bowed to a curtain, and it was agreed that for a fogmaster this was handsome.',
    },
  },
  {
    term: 'graywarden',
    title: 'Graywarden',
    meaning:
      'Ropes were tested by hanging an official from them. The graywarden, as the holder of the post is called, walks from quay to quay, chooses a rope, and is hauled up to the yard on it; the maker pays for the doctor.',
    answer: 'the official who tests ropes by being hung from them',
    question: 'Who is a graywarden and what is the duty?',
    uses: [
      '{She} was to have been made graywarden, but had grown too heavy.',
      'The graywarden of the day refused to step aboard.',
      'A graywarden had called twice and found fault twice.',
    ],
    decoy: {
      title: "The Graywarden's Holiday",
      text: 'The graywarden of {place} took one holiday, in {year}, and {person} was graywarden for a week. The temporary graywarden took to it. The graywarden proper came home early, and the two were not on terms again.',
    },
  },
  {
    term: 'half-chart',
    title: 'Half-chart',
    meaning:
      'Rival backers who do not trust each other tear the map down the middle and keep a piece apiece, so that neither can send a ship without the other. A half-chart is worth nothing and is insured for a fortune.',
    answer: 'one piece of a map torn in two between rival backers',
    question: 'What is a half-chart used for?',
    uses: [
      'It owns a half-chart and has lost the correspondence about the other.',
      'They had a half-chart and guessed the rest.',
      '{She} was buried with a half-chart, and dug up for it.',
    ],
  },
  {
    term: 'hullsong',
    title: 'Hullsong',
    meaning:
      'Each yard scrapes and tars to a tune of its own, which strangers may hear but not whistle. A hullsong has as many verses as the yard has drowned men, and a new one is added before the wake.',
    answer: 'the working song that belongs to one shipyard',
    question: 'Explain what a hullsong is.',
    uses: [
      'A verse of the hullsong bears her name.',
      '{She} wrote down a hullsong once and burned it.',
      'The men would not work, and sang the hullsong of another yard.',
    ],
    decoy: {
      title: 'A Hullsong for Two Voices',
      text: 'The hullsong that {person} composed at {place} in {year} was never sung. A hullsong in a minor key, said the foreman, would sink the yard; a hullsong with rests in it would bankrupt it.',
    },
  },
  {
    term: 'keelgift',
    title: 'Keelgift',
    meaning:
      "Before the first timber is set, the youngest apprentice lays a coin where it will rest, and does not say which. The keelgift stays there for the ship's whole life. It is unlucky to ask, and lucky to have been poor that day.",
    answer: 'keelgift',
    question: 'What is the term for money hidden under a hull when construction begins?',
    uses: [
      'Her keelgift is said to have been a trouser button.',
      '{She} collected the story of every keelgift on the coast.',
      'When she was broken up the keelgift was missing.',
    ],
  },
  {
    term: 'lanternage',
    title: 'Dues of the Light',
    meaning:
      "A vessel that has steered by a harbour's light owes something for it, reckoned by the number of its masts. This due is lanternage. Blind passengers are exempt, and so are ships that can prove they were lost at the time.",
    answer: 'lanternage',
    question: 'How do people call the money owed for being guided by the beacon of a port?',
    uses: [
      'Arrears of lanternage were found in the stove.',
      'It lived for years on lanternage and good will.',
      'She once left a port by night to escape the lanternage.',
    ],
  },
  {
    term: 'Long Count',
    title: 'Midnight on Deck',
    meaning:
      'At midnight every soul aboard calls out a number in turn, the master first and the boy last, and nobody may sleep until the sum is right. The custom is called the Long Count. It began after a crew came home with one man too many.',
    answer: 'the custom of counting the whole crew aloud at midnight',
    question: 'What do sailors mean by the Long Count?',
    uses: [
      'The Long Count was kept even in harbour.',
      '{She} could not fall asleep ashore without whispering the Long Count.',
      'On the worst night the Long Count came out wrong four times.',
    ],
  },
]
