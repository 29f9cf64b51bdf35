/**
 * Words of this coast: each is explained in one passage (`meaning`) and used, unexplained, in others. Half of the
 * questions give the word and ask what it means, half give the meaning in other words and ask for the word.
 */
export interface Term {
  readonly term: string
  readonly title: string
  readonly meaning: string
  readonly answer: string
  readonly question: string
  readonly uses: readonly string[]
  /** A passage about the thing that does not say what it is. */
  readonly decoy?: { readonly title: string; readonly text: string }
}

export const TERMS: readonly Term[] = [
  {
    term: 'tidebook',
    title: 'What a Pilot Surrenders',
    meaning:
      'Every licensed pilot writes down each high water that he sees, from the day of the licence until death, when the volume goes to the harbour office unread. Such a record is known as a tidebook. Gaps are forgiven; guesses are not.',
    answer: "a licensed pilot's lifelong record of high waters",
    question: 'What is a tidebook?',
    uses: [
      '{She} was fined twice for a blot in the tidebook.',
      'A page of {her} tidebook was used, by mistake, to wrap butter.',
      'On the shelf stood a tidebook with the last leaf torn out.',
    ],
    decoy: {
      title: 'The Stolen Tidebook',
      text: 'A tidebook was stolen at {place} in {year}, and for a week no tidebook in town was let out of sight. {person} found it beneath a mattress. The tidebook had been read to the end, and somebody had underlined the Sundays.',
    },
  },
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
  {
    term: 'saltright',
    title: 'Saltright',
    meaning:
      'The claim of a family to gather what the sea leaves to dry on one stretch of beach passes from mother to youngest daughter and cannot be sold. A saltright is lost by anyone who is seen to run on the sand.',
    answer: 'saltright',
    question: 'Which word stands for a hereditary permission to collect salt?',
    uses: [
      '{Her} mother had lost a saltright by running after a hat.',
      'The house came with a saltright that nobody wanted.',
      'A saltright was offered as security and laughed at.',
    ],
    decoy: {
      title: 'Two Aunts and a Saltright',
      text: 'Two aunts of {person} both claimed the saltright at {place}. A saltright, said one, cannot be halved; a saltright, said the other, can be shared on alternate days. In {year} the beach was washed away, saltright and all.',
    },
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
    term: 'wrackday',
    title: 'Finders Keepers',
    meaning:
      'Once a year, on the morning after the first gale of autumn, the crown gives up its claim to whatever the sea has thrown on the shore, until noon. That morning is wrackday; schools are closed and rakes are hired out by the hour.',
    answer: 'wrackday',
    question: 'What is the day called when finders may take home flotsam from the beach?',
    uses: [
      '{She} never missed a wrackday in sixty years.',
      'It closes for wrackday and for nothing else.',
      'Her figurehead came ashore one wrackday and was kept as a hat stand.',
    ],
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
    term: 'stillwater oath',
    title: 'Not While the Master Lives',
    meaning:
      'A crew that has seen what it had better not have seen swears to be silent about the voyage as long as the captain draws breath. The stillwater oath, they call it. Widows of captains are much visited.',
    answer: 'stillwater oath',
    question: 'How does one call the vow of sailors not to talk before their captain has died?',
    uses: [
      'All hands had taken the stillwater oath and kept it.',
      '{She} hinted at a stillwater oath whenever {she} was asked about money.',
      'Under the stillwater oath nothing more can be told.',
    ],
    decoy: {
      title: 'The Price of a Stillwater Oath',
      text: 'At {place} in {year} a stillwater oath was broken for the price of a hat. The stillwater oath in question bound eleven; {person}, the twelfth, had been asleep when the stillwater oath was taken, and told all.',
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
    term: 'pale ink',
    title: 'Wet with Brine',
    meaning:
      'A writing fluid pressed from thistle milk cannot be seen on the page until the page is dipped in sea water. It goes under the name of pale ink and has ruined more love affairs than it has saved.',
    answer: 'ink that can be seen only when wetted with sea water',
    question: 'What does the expression pale ink refer to?',
    uses: [
      '{She} kept accounts in pale ink, which was found suspicious.',
      'A postscript in pale ink changed the sense of the whole.',
      'The label, in pale ink, has been read only once.',
    ],
    decoy: {
      title: 'A Bottle of Pale Ink',
      text: 'A bottle of pale ink stood for years on the desk of {person} at {place}. The pale ink was taken for water in {year}, and a dog which drank of the pale ink was afterwards, the household swore, harder to find.',
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
    term: 'stonepost',
    title: 'Letters on the Moor',
    meaning:
      'Beyond the last inn there is no carrier. What is to be sent on is laid under a marked boulder, and whoever passes in the right direction takes it as far as the next. This is the stonepost; it is slow, free, and has never lost a cheese.',
    answer: 'stonepost',
    question: 'What do people call post that travellers carry from rock to rock?',
    uses: [
      'News of it came by stonepost, and late.',
      '{She} proposed marriage by stonepost and was answered in eleven years.',
      'The deeds went astray in the stonepost.',
    ],
  },
  {
    term: 'ropewidow',
    title: 'Ropewidow',
    meaning:
      'When a spinner of hemp dies, the place at the walk belongs to the wife, with the full wage, until she marries a man who cannot tie nine knots. A ropewidow votes, and may wear the apron in church.',
    answer: 'ropewidow',
    question: 'What title has a woman who takes over the job of a dead rope maker?',
    uses: [
      'A ropewidow lent the money and named the terms.',
      '{Her} grandmother, a ropewidow, had hands like gloves.',
      'A ropewidow christened her, with beer.',
    ],
  },
  {
    term: 'quarterlight',
    title: 'Nets Up',
    meaning:
      'The last bell of the fishing day, when the sun stands a hand above the water, tells the boats to lift their nets whatever is in them. Its sound, and the hour of it, is quarterlight. To fish after it is theft from tomorrow.',
    answer: 'the last bell of the fishing day, when nets must be lifted',
    question: 'What is quarterlight?',
    uses: [
      'At quarterlight the whole place smells of onions.',
      '{She} proposed to nobody before quarterlight, and to several after it.',
      'The bell for quarterlight was recast from saucepans.',
    ],
    decoy: {
      title: 'Past Quarterlight',
      text: 'In {year} a boat from {place} was out past quarterlight, and {person} rang quarterlight again, louder. By the third quarterlight the whole town was on the quay, and the boat came in with nothing but a very large hat.',
    },
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
    term: 'underbook',
    title: 'The Other Ledger',
    meaning:
      'Beside the accounts that are shown there are the accounts that are true. The second set, kept by the purser on the back of the hymn board, is named the underbook, and is the only paper a crew will risk its life to save.',
    answer: 'underbook',
    question: 'What name do seamen give to hidden bookkeeping?',
    uses: [
      'Her underbook was eaten by a goat.',
      'An underbook came to light and several uncles did not.',
      '{She} could keep an underbook in {her} head.',
    ],
  },
  {
    term: 'mirror watch',
    title: 'Mirror Watch',
    meaning:
      'Two vessels lying within hail strike their bells in turn for a night, each correcting the other, until both have the same time and neither has the right one. After a mirror watch it is usual to exchange cooks for a day.',
    answer: 'a night in which two ships keep time against each other',
    question: 'What is a mirror watch?',
    uses: [
      'A mirror watch with a stranger lasted until neither knew the date.',
      '{She} met {her} best friend during a mirror watch.',
      'It was set by mirror watch and is therefore wrong.',
    ],
  },
]
