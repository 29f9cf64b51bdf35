/** Words of the quickstart's world. `{...}` stands for a value that the world draws. */

/** Entries of a list, separated by line ends and slashes. */
const list = (text: string): string[] => text.trim().split(/\n| \/ /)
/** Pairs of a telling and its question, whose words differ. */
const toldAndAsked = (text: string) =>
  list(text).map((line) => {
    const [statement, question] = line.split(' | ')
    return { told: statement, asked: question }
  })

export const FIRST_NAMES = list(`
Ada / Bram / Cora / Dirk / Elin / Falk / Greta / Hanne / Ivo / Jonna / Klaas / Lena / Maarten / Nell / Otto / Petra
Quint / Runa / Sander / Tilda / Ulf / Vera / Wim / Yrsa`)

export const CATALOGUE = list(`
A {thing} of {material}, made in {year}. It came from {person}, who had kept it under a bed in {town}. {remark} In {cabinet}.
The {thing} is of {material} and dates from {year}. {person} exchanged it for a stove. {remark} Visitors from {town} may ask to see it in {cabinet}.
Bought in {year} as the work of a master; in truth a common {thing} of {material} from {town}. Given by {person}. {remark} It fills most of {cabinet}.`)

export const LOANS = list(`
Lent to the school at {town}: {codes}. All of it came back, some of it painted.
The town hall at {town} borrowed {codes} for a banquet, and returned them in one sack.
For the fair at {town} the following were sent by cart: {codes}. The cart is still missed.`)

export const TRADES = toldAndAsked(`
the woman who shod the horses | a blacksmith / the man whose loaves the whole street ate | a baker
the man who tended the lamp on the headland | a lighthouse keeper
the woman who brought letters from door to door | a mail carrier
the man who drilled sums into the children | a teacher / the woman who pulled aching teeth | a dentist
the man who put new soles on boots | a cobbler / the woman who sold cod and mackerel on the quay | a fishmonger
the man who dug graves and carried coffins | an undertaker / the woman who trimmed beards | a barber
the man who ground everyone's corn | a miller / the woman who set broken bones | a doctor
the man who poured the beer | an innkeeper / the woman who sewed gowns | a dressmaker`)

export const STORY = [
  'In the {season} {trade} {mishap}. {ending}',
  'This {season} {trade} {mishap}. {ending}',
]

export const MISHAPS = toldAndAsked(`
woke with water up to the bedposts | was flooded out
saw the house turn to ashes between supper and midnight | lost a home in a fire
took a bride or groom half as old, against all advice | made a marriage that the family disapproved of
walked out one morning and was never seen again | vanished without trace
was left eleven farms by an uncle overseas | inherited a fortune
found the cash box empty and the window broken | was robbed by a burglar
could no longer make out a face across the table | went blind
took all the neighbours before a judge over a fence | fought a lawsuit about property
held the lucky ticket at the Easter raffle | won a lottery prize
went through the ice and was pulled out by a dog | was rescued from drowning
filled nine notebooks with a long life | wrote memoirs / touched no drop any more after one sermon | gave up alcohol
was led away in irons for words about the king | was arrested for political opinions
fed forty strangers all winter, on credit | sheltered refugees`)

export const LIFE = list(`
{person} ({born} to {died}) was born in {town}, into a family that lived by {living}, and became {craft}. The drawing and the swearing came from {teacher}, a strict master. {surname} {habit}, and {fate}.
Born in {town} in {born}, {person} was meant for {living} like everyone in the family. An apprenticeship with {teacher} made {craft} of the child. {surname} {habit}. In {died}, {surname} {fate}.
{town} claims {person}, {craft}, as its own, and has put a plaque on the house of the birth in {born}. The parents, who lived by {living}, paid {teacher} for lessons. {surname} {habit}, and in {died} {fate}.`)

/** Things that somebody made, and phrases for the maker. */
export const WORKS = [
  {
    title: '{name} Light',
    maker: 'the designer of the {name} Light',
    craft: 'a designer of lighthouses',
    texts: list(`
The {name} Light has stood on the reef off {town} since {year}. {person} drew the plans, and was seasick at the opening. The lamp burns herring oil. {aside}
Ships find {town} by the {name} Light, lit for the first time in {year}. Its plans are by {person}. The keepers grow leeks. {aside}`),
  },
  {
    title: 'Ballad of {name}',
    maker: 'the author of the Ballad of {name}',
    craft: 'a poet',
    texts: list(`
All of {town} can sing the Ballad of {name}, which has 41 verses and one tune. {person} wrote it in {year}, for a bet. {aside}
The Ballad of {name} tells of a drowned miller and his geese. It is by {person}, who read it aloud at {town} in {year} and was asked to leave. {aside}`),
  },
  {
    title: '{name} Bridge',
    maker: 'the builder of the {name} Bridge',
    craft: 'a builder of roads and bridges',
    texts: list(`
The {name} Bridge crosses the gorge below {town} in three arches of unequal size. {person} built it in {year}, and walked across first, with a pig. {aside}
In {year} {town} got a crossing at last, the {name} Bridge, built by {person}. It hums in an east wind. {aside}`),
  },
  {
    title: '{name} Pippin',
    maker: 'the grower who raised the {name} Pippin',
    craft: 'a gardener',
    texts: list(`
The {name} Pippin is a late apple with a rough skin, good until May. {person} raised it from a pip in {year}, in a yard at {town}. {aside}
No orchard around {town} lacks the {name} Pippin, which {person} first raised in {year}. The fruit is sour until the first frost. {aside}`),
  },
  {
    title: 'Organ of St {name}',
    maker: 'the maker of the organ of St {name}',
    craft: 'a maker of organs and cupboards',
    texts: list(`
The organ of St {name} at {town} has 23 stops, of which nine sound. {person} made it in {year} and was paid in firewood. {aside}
{person} finished the organ of St {name} in {year}. The parish of {town} had ordered a smaller one. Bats live in the bass pipes. {aside}`),
  },
] as const

export const ITEM_QUESTIONS = [
  ['What is {code} made of?', 'material'],
  ['Who gave {code} to the museum?', 'person'],
  ['What is the {thing} of {person} made of?', 'material'],
  ['Where in the museum is {code}?', 'cabinet'],
] as const

/** Questions about a maker, each answered by another part of a life. */
export const MAKER_QUESTIONS = [
  ['Where was {maker} born?', 'town'],
  ['Who taught {maker}?', 'teacher'],
  ['How did {maker} die?', 'fate'],
  ['What did the family of {maker} live by?', 'living'],
] as const

export const SHIP_WORDS = [
  'Ardent Bold Grey Idle Merry Noble Patient Wild',
  'Curlew Gull Heron Lark Petrel Tern',
] as const

export const SHIPS = list(`
The {ship} was launched at {town} in {year}, as a brig of 200 tons. She carried {cargo}. {quirk}
Built for the trade in {cargo}, the schooner {ship} left the slip at {town} in {year} before the guests had arrived. {quirk}
{town} launched the barque {ship} in {year}, with a brass band on board. {quirk} She carried {cargo} until she was sold for her copper.`)

export const LOGS = list(`
Captain {surname} writes of the {ship}: "Wind from the {wind}, cook from {town}, neither to be trusted." {event} The {ship} lay nine days at anchor.
On the third day the mate of the {ship} saw land, and on the fourth it was a whale. {event} Captain {surname} brought the {ship} to {town} on the wrong side of the tide.
"The {ship} steers like a wardrobe," says Captain {surname}, between two lists of provisions. Off {town} the {ship} lost an anchor. {event}`)

export const PEAKS = list(`
{peak} rises to {height} metres behind {town}. The first on its top was {person}, in {year}. {note}
From {town} one sees {peak}, {height} metres, if at all. {person} climbed it in {year} with an umbrella. {note}
{peak} ({height} metres) looks steeper from {town} than it is. {note} {person} spent a night on it in {year}, for science.`)

export const WALKS = list(`
We left {town} at four with {load}. Below the top of {peak} {weather}. {peak} has no top, says our guide.
The path up {peak} begins behind the brewery of {town}, which explains the number of accidents. {peak} is at its best in {season}, seen from a chair.`)

/** Members of a society, and a thing that one of its minutes mentions. */
export const SOCIETIES = toldAndAsked(`
The hives were counted | beekeepers / A rope broke in the belfry | bell ringers
The wind was too weak for the big tail | kite flyers / A queen and two pawns could not be found | chess players
Nobody would taste the red ones with the white dots | mushroom gatherers / The tenors sat apart | choir singers
Clouds hid the comet again | stargazers / Greenfly was discussed at length | rose growers
Two birds came home a week late | pigeon fanciers / An album was left in the rain | stamp collectors
Four tyres were slashed | cyclists / A piton was passed around | mountaineers / A foil was bent beyond use | fencers
The eight now has seven oars | rowers / The devil's strings were tangled | puppeteers
The tuba was not returned | brass players / A wheel rolled into the pond before it was ripe | cheese makers
A coast was drawn the wrong way round | map makers / Wool has become dearer | knitters
An arrow went through the vicarage window | archers / The water was eleven degrees | swimmers
Glue and calfskin were ordered | bookbinders / The press stood idle in October | cider makers
A terrier bit the judge | dog breeders / Knocking was heard in the attic, and answered | ghost hunters
The ice did not hold | skaters / A plate was exposed twice | photographers
A hawk sat in the elm until Thursday | falconers / A hull was patched with a trouser leg | canoeists
The motion was lost by nine words | debaters / The second pot was too weak | tea tasters
Bobbins were shared out | lace makers / A frigate would not go into its bottle | model builders
Both men claimed to have been on top | wrestlers / The rake was lent without being asked for | gardeners`)

export const BODIES = ['Circle', 'Union', 'League', 'Fellowship'] as const

export const SOCIETY = list(`
The {body} brings together the {members} of {town}. {person} founded it in {year} and lent it {bench}. New members bring a cake.
In the {body} the {members} of {town} have met since {year}, on Tuesdays, around {bench}. {person}, the founder, could not stand noise.`)

export const MINUTES = list(`
The {body} met, {number} present. {trouble}. {settled} {business}
Present at the {body}: {number}, and a dog. {trouble}. {business} {settled}
{number} came to the meeting of the {body}, two of them sober. {business} {trouble}. {settled}
The {body} opened its meeting late, with {number} members. {trouble}. {settled} {business}`)

export const TROUBLES = list(`
The treasurer has gone, and so have the funds / The roof lets in rain above the chairman
The youngest want to smoke, the oldest want to sleep / A rival group has been founded across the street
The cup that was won last year has been pawned / It was found that the statutes admit nobody
The chairman was voted out, and would not get up / The excursion ended at the first inn
A member has sold the secrets of the others to a newspaper / The landlord wants the rent of nine years
The anniversary was celebrated in the wrong year / Women were admitted, and now outnumber the men`)

/** Questions about everything that is recorded of a society. */
export const THEMES = [
  'What has occupied the {members} of {town} over the years?',
  'Give an overview of the society of the {members} of {town} and its troubles.',
  'How did the club of the {members} of {town} come about, and what did it quarrel over?',
  'Summarize the history of the association of the {members} of {town}.',
] as const

/** Values of slots that are drawn each time. */
export const DRAWN: Readonly<Record<string, readonly string[]>> = {
  thing: list(`
barometer / spinning wheel / butter mould / ship's bell / fiddle / weather vane / chart chest / storm lantern
sextant / chess set / christening spoon / foot warmer / letter press / music box / coffee mill`),
  material: list(`
brass and pearwood / oak with iron bands / whalebone / dented copper / birch and horsehair / pewter
walnut and bone / tin, painted green / slate and lead / silver gilt / cast iron / cork and sealing wax`),
  remark: list(`
It works if it is warmed first. / Two screws are missing, and a third does not belong to it.
It smells of tar in wet weather. / A child has scratched a pig into the back. / It was once repaired with a hairpin.
Nobody has found out how it opens. / The lid is from something else. / Mice have lived in it.
It has never been cleaned, at the wish of the giver. / There are three like it in the cellar.`),
  ending: list(`
The council sent a ham. / A song was made about it, and forbidden. / The street was of two minds.
The vicar spoke of it twice, and not kindly. / Nobody talked of anything else until harvest.
The newspaper got the name wrong, and then the date. / A bench was put up in memory, with its back to the view.
People came by boat to look. / It is still told at weddings.
The constable wrote four pages about it and lost them.`),
  living: list(`
rope making / salt boiling / smuggling / weaving / goose breeding / candle making / slate cutting / eel fishing`),
  habit: list(`
never signed a letter / worked only at night / kept a tame crow / could not count beyond twenty
wore two hats at once / was rude to bishops / slept in a hammock, also on land / paid every bill in coppers
talked to the furniture / trusted nobody with blue eyes`),
  fate: list(`
died of a chill caught at a regatta / fell from a ladder while picking pears
was struck by lightning on a church roof / choked on a plum stone / drowned in the harbour on a calm day
was trampled by a bull at a fair / died in bed, in the middle of a sentence / went down with the mail boat
caught cholera from a borrowed cup / was buried by a landslide`),
  cargo: list('salt and rope / oranges / roof slates / dried cod / pianos / wool and letters / coal'),
  bench: list('a bench / a stove / a long table / the back room of a chemist / a piano without legs'),
  settled: list(`
It was left to the next meeting. / A committee of one was elected. / Everyone paid a crown and went home.
A letter was written, and torn up. / It was put to the vote until it passed. / The matter was settled outside.
Silence was agreed on. / The stove was blamed.`),
  business: list(`
The price of candles was noted with concern. / The minutes of the last meeting were read, and denied.
A guest spoke for two hours about himself. / The new curtains were admired. / Somebody had brought plums.
The photograph of the founder fell off the wall. / Greetings were sent to the mayor. / The clock had stopped.`),
  quirk: list(`
She was mostly on time. / She leaked at the same place all her life. / Her figurehead, a bishop, is now a hat stand.
A bear once travelled in her, first class. / Her wheel squeaked in the key of D. / Rats left her and came back.
No two of her masts were parallel. / Her anchor was never paid for. / She was painted yellow to please an aunt.`),
  event: list(`
The crew taught a gull to salute. / The rum was docked, and found again. / A stowaway proved to be a good cook.
All hands were ordered to learn the flute. / The biscuits were declared a danger. / The cat was promoted.
Fog was sold to a passenger as a view. / St Elmo's fire was seen, and used to read by.`),
  note: list(`
Sheep go up without difficulty. / There is a book on the summit, and no pencil. / The echo answers late.
Two parishes each say that it belongs to the other. / A hut was built there, and blown off. / Marmots steal hats there.
It is on the arms of three families. / Its snow was exported.`),
  aside: list(`
It was paid for with a tax on hats. / The bishop blessed it by mistake. / Children are shown it as a warning.
It has appeared on a stamp, upside down. / A copy in sugar won a prize. / Nobody asked for a second.
It is mentioned in a lawsuit. / Poets avoid it.`),
  load: list('a goat and a cheese / two aunts / a piano stool / one map and four opinions / eleven eggs'),
  weather: list('the fog came down / it began to hail / we met ourselves coming back / the bridge was away'),
  wind: list('north / south / east / west'),
  season: list('spring / summer / autumn / winter'),
}
