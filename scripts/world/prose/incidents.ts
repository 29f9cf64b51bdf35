/**
 * Small events, told in the words of old chronicles, each with a question in today's words that shares none of them.
 * `kin` pairs the chronicle's word with the question's; these pairs stand side by side elsewhere in the corpus (see
 * kinship.ts), so that an embedder fitted on the corpus can learn them. `answer` says which slot is asked for.
 */
export interface Incident {
  readonly title: string
  readonly text: string
  readonly question: string
  readonly answer: 'person' | 'place'
  /** Set where the telling fits a woman only. */
  readonly woman?: true
  readonly kin: readonly (readonly [chronicle: string, plain: string])[]
}

export const INCIDENTS: readonly Incident[] = [
  {
    title: "The Dean's Pippins",
    text: "The apothecary {person} had never paid for fruit in {his} life. In the autumn of {year} {she} purloined forty pippins from the wall of the deanery and concealed them in an unsold coffin, where the dean's nose found them within the week. The sentence, carried out on the steps at {place}, was to eat the lot.",
    question: 'Where was a druggist punished for stealing apples and hiding them in a casket?',
    answer: 'place',
    kin: [
      ['apothecary', 'druggist'],
      ['purloined', 'stealing'],
      ['pippins', 'apples'],
      ['concealed', 'hiding'],
      ['coffin', 'casket'],
    ],
  },
  {
    title: 'Eleven Baskets',
    text: 'When the contagion reached {place} in {year}, the physician {person} moved into the belfry with a crate of tapers and let down a basket for every infant whose mother asked. Eleven were drawn up. Ten came down again in spring, fat as dumplings; the eleventh had learned to ring and would not leave.',
    question: 'Which doctor kept babies safe in a steeple, with candles, while sickness raged?',
    answer: 'person',
    kin: [
      ['physician', 'doctor'],
      ['infant', 'babies'],
      ['belfry', 'steeple'],
      ['tapers', 'candles'],
      ['contagion', 'sickness'],
    ],
  },
  {
    title: 'Backwards to the Gate',
    text: "At the Three Eels tavern the sexton {person} laid a wager, in {year}, that {she} could ride the brewer's mare backwards as far as {place} before dusk. The animal knew the way and was in no hurry. {She} arrived by starlight, facing home, and dug the brewer's cabbages for a year.",
    question: 'Which gravedigger made a bet in an inn about a horse and nightfall?',
    answer: 'person',
    kin: [
      ['tavern', 'inn'],
      ['sexton', 'gravedigger'],
      ['wager', 'bet'],
      ['mare', 'horse'],
      ['dusk', 'nightfall'],
    ],
  },
  {
    title: 'The Face on Every Post',
    text: "The magistrate of {place} had a portrait of the brigand Long Annis nailed to every post in {year}. It was counterfeit. The limner, {person}, had never seen her and had drawn the magistrate's own brother in a bonnet, who spent nine days in the gaol before anyone thought to lift it.",
    question: "Who produced the fake picture of a robber that put a judge's relative in prison?",
    answer: 'person',
    kin: [
      ['counterfeit', 'fake'],
      ['portrait', 'picture'],
      ['brigand', 'robber'],
      ['magistrate', 'judge'],
      ['gaol', 'prison'],
    ],
  },
  {
    title: 'A Month of Sea Bread',
    text: 'After nine days of deluge in {year} the granary at {place} slid whole into the harbour. Beggars waded in with sacks and pillowcases, {person} with a cello case. For a month every loaf in the quarter tasted of seaweed, and nobody went without.',
    question:
      'In which town did a storehouse end up in the port after a downpour, feeding paupers with salty bread?',
    answer: 'place',
    kin: [
      ['granary', 'storehouse'],
      ['harbour', 'port'],
      ['deluge', 'downpour'],
      ['beggars', 'paupers'],
      ['loaf', 'bread'],
    ],
  },
  {
    title: 'The Sow Gives Evidence',
    text: 'The ferryman {person} carried untaxed brandy through the marsh in casks bedded under a litter of swine. For six years the bailiff of {place} smelt nothing but the animals. Then, in {year}, a sow chewed through a stave and sang all the way to market.',
    question: 'Which boatman got barrels across a swamp beneath pigs, fooling a constable?',
    answer: 'person',
    kin: [
      ['ferryman', 'boatman'],
      ['casks', 'barrels'],
      ['marsh', 'swamp'],
      ['swine', 'pigs'],
      ['bailiff', 'constable'],
    ],
  },
  {
    title: 'Lullaby for One',
    text: '{person}, cobbler at {place}, played the fiddle in the attic every evening, because {his} spouse could not slumber without it. The street petitioned in {year}. After the funeral a pupil was hired to go on, badly, so that the house should feel the same.',
    question: 'What shoemaker made music on a violin in a loft to help a partner sleep?',
    answer: 'person',
    kin: [
      ['cobbler', 'shoemaker'],
      ['fiddle', 'violin'],
      ['attic', 'loft'],
      ['spouse', 'partner'],
      ['slumber', 'sleep'],
    ],
  },
  {
    title: 'Grace before Geese',
    text: "At the harvest feast of {year} the vicar {person} gave so long a sermon that the miller's hound, forgotten beneath the table, ate two geese, a ham and the churchwarden's glove. {place} has said a shorter grace ever since, and ties up the gloves.",
    question: 'Which priest went on preaching until a dog had emptied the banquet?',
    answer: 'person',
    kin: [
      ['vicar', 'priest'],
      ['sermon', 'preaching'],
      ['hound', 'dog'],
      ['feast', 'banquet'],
    ],
  },
  {
    title: 'Put Out with Small Beer',
    text: 'A kiln left unwatched at {place} in {year} set light to the rafters of a whole street. The cistern was dry. {person} the brewer knocked the bungs from nine vats, and the blaze was drowned in small beer, along with two cats and a reputation.',
    question:
      'Where was a fire, begun by a furnace among wooden beams beside an empty tank, quenched with a drink?',
    answer: 'place',
    kin: [
      ['kiln', 'furnace'],
      ['rafters', 'beams'],
      ['cistern', 'tank'],
      ['blaze', 'fire'],
    ],
  },
  {
    title: 'Buttons from the Hermit',
    text: 'The tutor {person} trained a raven to carry an epistle to the hermit on the summit above {place}. It flew up with philosophy each morning and came down each noon with a button. In {year}, at the end of the course, there were enough for a coat.',
    question: 'Which teacher used a crow to deliver letters to a recluse on a peak?',
    answer: 'person',
    kin: [
      ['tutor', 'teacher'],
      ['raven', 'crow'],
      ['epistle', 'letters'],
      ['hermit', 'recluse'],
      ['summit', 'peak'],
    ],
  },
  {
    title: 'The Wrong Hand',
    text: 'An elderly merchant, {person}, mislaid {his} spectacles on the way to the altar at {place} and slid the signet onto the hand of the witness. The bishop ruled that what is wed is wed. They had, from {year} on, eleven contented years.',
    question:
      'Which aged trader, without eyeglasses, gave a ring to the wrong person and so got married by mistake?',
    answer: 'person',
    kin: [
      ['elderly', 'aged'],
      ['merchant', 'trader'],
      ['spectacles', 'eyeglasses'],
      ['signet', 'ring'],
      ['wed', 'married'],
    ],
  },
  {
    title: 'Down Goose Lane',
    text: 'In the great tempest of {year} the dike at {place} gave way, and a cradle came riding down Goose Lane with an orphan fast asleep in it. {person}, who minded the birds there, hooked it with a crook and brought the child up to be afraid of nothing.',
    question: 'Who rescued a foundling drifting in a crib when the embankment burst in a storm?',
    answer: 'person',
    kin: [
      ['tempest', 'storm'],
      ['dike', 'embankment'],
      ['cradle', 'crib'],
      ['orphan', 'foundling'],
    ],
  },
  {
    title: 'Breakfast at the Ropewalk',
    text: 'Two clerks of {place} met for a duel at dawn, in {year}, over a pair of borrowed breeches. Neither pistol went off. {person}, second to both, had sold the powder the evening before to buy everybody breakfast, and served it on the spot.',
    question: 'Who made the guns useless before a sunrise fight about trousers?',
    answer: 'person',
    kin: [
      ['duel', 'fight'],
      ['dawn', 'sunrise'],
      ['breeches', 'trousers'],
      ['pistol', 'guns'],
    ],
  },
  {
    title: 'The Cleverness of Cattle',
    text: 'In the third summer of the drought, {year}, the cattle of a hamlet above {place} walked off into the thicket of their own accord. {person}, a child of nine, went after them and found them up to the knees in a spring that nobody had drunk from in living memory.',
    question: 'Who followed cows through the woods from a village in a rainless season?',
    answer: 'person',
    kin: [
      ['drought', 'rainless'],
      ['cattle', 'cows'],
      ['hamlet', 'village'],
      ['thicket', 'woods'],
    ],
  },
  {
    title: 'Nine Thousand Heels',
    woman: true,
    text: "The garrison of {place} had gone two winters without wages. In {year} it was settled with in stockings, nine thousand of them, from the needles of the seamstress {person} and four sisters. For a while they were legal tender at the baker's.",
    question: 'Which dressmaker supplied soldiers with socks in place of their pay?',
    answer: 'person',
    kin: [
      ['garrison', 'soldiers'],
      ['wages', 'pay'],
      ['stockings', 'socks'],
      ['seamstress', 'dressmaker'],
    ],
  },
  {
    title: 'Fast in the Customs House',
    text: 'A pilferer let himself down the chimney of the customs house at {place}, in {year}, and stuck there. He passed out the purse he had come for to {person}, the kitchen help, in exchange for a pull on his ankles; {she} kept both halves of the bargain.',
    question: 'In what town did a thief, jammed in a flue, hand over a wallet to be freed?',
    answer: 'place',
    kin: [
      ['pilferer', 'thief'],
      ['chimney', 'flue'],
      ['purse', 'wallet'],
    ],
  },
  {
    title: 'Addressed to Nobody',
    text: 'A parcel addressed to nobody lay in the cellar of the toll gate at {place} for thirty years. In {year} {person} cut the string for want of anything to do. Inside were a bridal gown, never worn, and the bill for it, never settled by the heirs.',
    question:
      'Who opened an unclaimed package in a basement and discovered a dress that its inheritors owed for?',
    answer: 'person',
    kin: [
      ['parcel', 'package'],
      ['cellar', 'basement'],
      ['gown', 'dress'],
      ['heirs', 'inheritors'],
    ],
  },
  {
    title: 'Half a Shave',
    text: 'The lame barber {person} was busy with the abbot when the avalanche of {year} came down upon {place}. Both were dug out on the fourth day in good humour, the abbot with one cheek still lathered and a great deal of local news.',
    question: 'Which limping hairdresser was buried by a snowslide together with a customer?',
    answer: 'person',
    kin: [
      ['lame', 'limping'],
      ['barber', 'hairdresser'],
      ['avalanche', 'snowslide'],
    ],
  },
  {
    title: 'Heard across Three Parishes',
    text: 'It took the blacksmith {person} an hour and a pair of cold tongs to draw the molar of the mayor of {place}, in {year}. The bellow was heard across three parishes and in one of them was taken for the noon gun.',
    question: 'What farrier pulled the tooth of a burgomaster whose shout carried for miles?',
    answer: 'person',
    kin: [
      ['blacksmith', 'farrier'],
      ['molar', 'tooth'],
      ['mayor', 'burgomaster'],
      ['bellow', 'shout'],
    ],
  },
  {
    title: 'Sole Beneficiary',
    text: 'A wealthy dowager of {place} bequeathed her mansion in {year} to a tortoise. {person}, the gardener, was to live in as long as the new owner did. That was ninety-one years, in three generations, each of whom learned to walk slowly.',
    question: 'Which groundskeeper stayed in the manor that a rich widow left to a reptile?',
    answer: 'person',
    kin: [
      ['wealthy', 'rich'],
      ['dowager', 'widow'],
      ['bequeathed', 'left'],
      ['mansion', 'manor'],
      ['tortoise', 'reptile'],
      ['gardener', 'groundskeeper'],
    ],
  },
  {
    title: 'A Vote from Above',
    text: 'Lightning struck the abbey near {place} on the eve of the election of {year}, and every monk but one took it for a ballot. {person}, who had been on the roof mending the lead, maintained until death that it had only been weather.',
    question: 'Which friar disputed that a thunderbolt on the monastery was a sign?',
    answer: 'person',
    kin: [
      ['lightning', 'thunderbolt'],
      ['abbey', 'monastery'],
      ['monk', 'friar'],
    ],
  },
  {
    title: 'Going, Gone',
    text: 'The deaf carpenter {person} nodded to a friend at the auction in {place}, in {year}, and went home with the clock from the corn exchange. It filled the kitchen. Guests were seated by the hour, and grace was said at a quarter to soup.',
    question: 'Which joiner, hard of hearing, bought a huge timepiece at a sale by accident?',
    answer: 'person',
    kin: [
      ['deaf', 'hearing'],
      ['carpenter', 'joiner'],
      ['auction', 'sale'],
      ['clock', 'timepiece'],
    ],
  },
  {
    title: 'The Almanac through a Trumpet',
    text: 'When the comet of {year} stood over {place}, the shepherd {person} drove {his} ewes into a cave and rolled a stone across. They were coaxed out in Advent, after the schoolboys had read the whole almanac to them through a speaking trumpet.',
    question: 'What herdsman shut sheep in a grotto at the sight of a shooting star?',
    answer: 'person',
    kin: [
      ['comet', 'star'],
      ['shepherd', 'herdsman'],
      ['ewes', 'sheep'],
      ['cave', 'grotto'],
    ],
  },
  {
    title: 'Pass the Pepper',
    text: 'Accused in {year} of poison in the broth of the countess of {place}, the cook {person} sent for the tureen, emptied it before the bench, and asked for pepper. {She} lived another forty years and was never out of a situation.',
    question: "Which chef proved that there was no venom in a noblewoman's soup?",
    answer: 'person',
    kin: [
      ['poison', 'venom'],
      ['broth', 'soup'],
      ['countess', 'noblewoman'],
      ['cook', 'chef'],
    ],
  },
  {
    title: 'Milk in the Joints',
    text: 'What the mason {person} built of the bridge at {place} by day fell down by night, and {she} blamed a ghost. In {year} the parish sat up to watch. It was goats, come to lick the mortar, which had been mixed with skimmed milk.',
    question: 'Which stonecutter suspected a spectre when the cement of a viaduct crumbled?',
    answer: 'person',
    kin: [
      ['mason', 'stonecutter'],
      ['bridge', 'viaduct'],
      ['ghost', 'spectre'],
      ['mortar', 'cement'],
    ],
  },
  {
    title: 'Nineteen Extra Souls',
    text: 'Sent in {year} to take the census of {place}, the clerk {person} fell into the fountain with the lists and filled them in again from memory. Nineteen of the persons so recorded never existed. Two of them were later elected.',
    question: 'Which scribe ruined a headcount and rewrote the rosters with imaginary people?',
    answer: 'person',
    kin: [
      ['census', 'headcount'],
      ['clerk', 'scribe'],
      ['lists', 'rosters'],
    ],
  },
  {
    title: 'Exit with Curtain',
    text: "The theatre at {place} caught its most famous laugh by mistake, in {year}, when the curtain came down on the actor {person} in the death scene and rose with {him} hanging from the fringe. The public demanded it nightly; the jester's part was cut.",
    question: 'Which player got tangled in the drapes of a playhouse, to the delight of spectators?',
    answer: 'person',
    kin: [
      ['theatre', 'playhouse'],
      ['curtain', 'drapes'],
      ['actor', 'player'],
      ['public', 'spectators'],
      ['laugh', 'delight'],
    ],
  },
  {
    title: 'Born on the Road',
    woman: true,
    text: 'The midwife {person} was sent for to {place} in the frost of {year}, by wagon, behind four oxen. {She} was in no time for the wedding she had been told of and in good time for the twins, who arrived between two milestones and were named after them.',
    question: 'Which birth nurse travelled in a cart drawn by bullocks through freezing weather?',
    answer: 'person',
    kin: [
      ['midwife', 'nurse'],
      ['wagon', 'cart'],
      ['oxen', 'bullocks'],
      ['frost', 'freezing'],
    ],
  },
  {
    title: 'Ballast of Hymns',
    text: 'The foundry at {place} was owed for two cannons and took the debt in hymn books. {person}, the foreman, stacked them against the draught until {year}, when a foe bombarded the port and not one ball came through. Nobody there has spoken ill of hymns since.',
    question: 'Who piled up songbooks that stopped the artillery of an enemy?',
    answer: 'person',
    kin: [
      ['hymns', 'songbooks'],
      ['cannons', 'artillery'],
      ['foe', 'enemy'],
      ['bombarded', 'shelled'],
    ],
  },
  {
    title: 'Lease of a Shadow',
    text: "The usurer {person} let out the shade of {his} one chestnut tree by the hour, at {place}, to haymakers. In {year} a lawyer pointed out that the shadow fell, after three o'clock, upon the common. The rent for that part was refunded, with a grudge.",
    question:
      'Which moneylender charged farm labourers for the coolness under a conker trunk until an attorney objected?',
    answer: 'person',
    kin: [
      ['usurer', 'moneylender'],
      ['chestnut', 'conker'],
      ['haymakers', 'labourers'],
      ['lawyer', 'attorney'],
      ['shade', 'coolness'],
    ],
  },
]
