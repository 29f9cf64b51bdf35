/** Ships: how they were made and how they ended. `fateTold` tells the theme of the fate in words of its own. */
export const SHIP = [
  '{mention} was laid down at {builtAt} by {builtBy}, who [built only in {timber}|had a whole stand of {timber} felled for her|would hear of nothing but {timber}], and took the water in {launched}. {colour} {fateTold}',
  'Built of {timber}, {mention} was [slow, dry and lucky|quick and wet|known for her crooked mast]. {builtBy} drew her lines and {builtAt} launched her, in {launched}, [stern first by accident|before a crowd that had come for the beer]. {colour} {fateTold}',
  'There was [never money|never enough money] at {builtAt} to build a proper frigate, so in {launched} it launched {mention} instead. {builtBy} was her builder and {timber} her timber. {colour} {fateTold}',
  'In {launched} {builtBy} finished {mention} at {builtAt}, [two years late|under budget, to general alarm]. The hull was {timber}, the sails second-hand. {colour} {fateTold}',
  '[Sailors|Old hands] disagreed about {mention}. Some blamed the {timber} she was made of, some {builtBy}, who made her; nobody blamed {builtAt}, where she was built and had a great many cousins. She was launched in {launched}. {colour} {fateTold}',
  '{builtBy} [is remembered for|signed] one ship, {mention}. The keel was set up at {builtAt}, of {timber}, [on a Friday, which was noticed|to a tune played on combs], and she was afloat by {launched}. {colour} {fateTold}',
]

export const LOG = [
  'The log of {mention} is in one hand throughout, that of her master, {master}. She was carrying {cargo}, and [the entries say little else|it shifted in every sea]. On [the ninth day|the longest night] the writing [becomes very small|turns to verse for a page] and then goes on about the pumps.',
  "What is left of the log of {mention} begins in the middle of a word. {master} commanded; the freight was {cargo}. [Somebody has added up the cook's debts in the margin.|The last leaf lists eleven kinds of cloud.]",
  '"All well, {cargo} dry," {master} wrote every evening as master of {mention}, [including the evening of the collision|even when it was plainly untrue]. The log was [bought back from a fishwife|found in a wall] a century later.',
]

/** How a ship ended, by theme: questions about a theme ask for all of its passages. */
export const FATES: Readonly<Record<string, readonly string[]>> = {
  reused: [
    'Her masts gone, she was roofed over and served forty years as a chapel.',
    "Drawn up on the beach, she became an alehouse, and the captain's cabin its snug.",
    'In the end a schoolroom was fitted between her decks, with portholes for windows.',
    'She finished as a granary, upside down on stone legs.',
    'Sawn in half, she makes two very respectable almshouses.',
    'Painted pink and moored for good, she ended as the town theatre.',
    'The customs men bought her for an office and cut a front door in her side.',
  ],
  wrecked: [
    'She broke her back on a reef that three charts place in three positions.',
    'One calm morning she ran full tilt onto a sandbank, and the winter took her apart.',
    'The rocks below the lighthouse had her, bell and all, within sight of home.',
    'She struck a ledge in the dark and went down in the time it takes to boil an egg.',
    'Driven ashore with her anchors dragging, she was matchwood by noon.',
    'A half-tide rock opened her like a tin, and the surf did the rest.',
  ],
  vanished: [
    'She cleared for home one fine April and nobody has set eyes on her since.',
    'No plank of her was ever found; the insurers paid after seven years.',
    'She was last spoken by a whaler, three days out, and never arrived.',
    'After that the records simply stop, and no port admits to having seen her.',
    'Wives watched the horizon for a year; neither boat nor body came back.',
    'Her name was struck from the list as missing, cause unknown.',
  ],
  captured: [
    'Privateers took her without a shot and sold her twice in one week.',
    'She fell to two enemy luggers off the cape, and changed her flag but not her cook.',
    'A navy she had never heard of seized her as a prize.',
    'Corsairs boarded her at supper, and afterwards used her to chase her own sisters.',
    'She was surrendered to a blockading squadron, condemned, and renamed.',
    'Pirates had her in the end; they complained about the pumps.',
  ],
  ordinary: [
    'Her last owner sold her for scrap and bought a field.',
    'She grew old, leaked, and was broken up; the neighbours had the planks.',
    'Worms finished what the mortgage had begun.',
    'She is at work still, under a shorter mast.',
    'When the trade moved to steam she was laid up in a creek, and the creek silted.',
    'A collector of anchors bought her, kept the anchor and let the rest go.',
    'She changed hands eleven times, always for less.',
    'Her timbers went into a staircase, a pulpit and a pigsty.',
    'She was given to a museum, which has not yet been built.',
    'Nothing remarkable became of her.',
    'She was last seen in a painting, and it flatters her.',
    'Her masts were sold to the telegraph.',
  ],
}
