export const DISPUTE = [
  '{plaintiff} and {defendant} had been friends until the matter of {about}, which is now called {mention}. {groundTold} {settledBy} settled it in {heard}: {verdict}. {colour}',
  '{mention} began [at a dinner|with a footnote|over a card table]. {groundTold} {plaintiff} was the plaintiff and {defendant} the defendant; {about} was what they fought over. When {settledBy} settled the case in {heard}, {verdict}. {colour}',
  'In {heard}, after [three|five|nine] sittings, {settledBy} put an end to {mention}, in which {plaintiff} had brought a complaint against {defendant} about {about}. {groundTold} The ending [pleased nobody|was thought clever]: {verdict}. {colour}',
  '[Half the coast took sides|Families stopped speaking] in {mention}. {plaintiff} complained; {defendant}, the defendant, [laughed|wept|sent flowers]; and {about}, the cause of it all, lay meanwhile under seal. {groundTold} {colour} {settledBy} settled things in {heard}, and {verdict}.',
]

/** What a dispute was about at bottom, by theme. */
export const GROUNDS: Readonly<Record<string, readonly string[]>> = {
  priority: [
    "The question was who had thought of it first, and each produced a diary older than the other's.",
    "It turned on a page that one was said to have copied from the other's notebook.",
    'Whose idea it had been, the witnesses could not agree; two remembered the same sketch on two different tablecloths.',
    'The drawings, it was alleged, had been lifted from a desk and published under a borrowed signature.',
    'One had printed in spring what the other had lectured on the autumn before, without a word of credit.',
    'The claim was that the discovery had been made twice, and honestly only once.',
  ],
  debt: [
    'There was a loan behind it, never repaid, with interest in oysters.',
    'The bill had been presented eleven times and used once to light a pipe.',
    'Money had been advanced against security that proved to be painted wood.',
    'A creditor grows impatient after twenty years, and a signature on a promissory note had faded.',
    'What was owed had been gambled away before it fell due.',
    'Nobody denied the sum; they differed about whether it had been a gift.',
  ],
  forgery: [
    'Half of the readings, it appeared, had been made up by the fireside.',
    'The seals were false, the ink was new, and the paper had been aged with tea.',
    'An expert showed that the figures repeated every nineteen lines, as invented figures will.',
    'The certificate at the heart of it had been written by a hand that never existed.',
    'Someone had altered the tables so that the sums came out.',
    'The specimens proved to have been glued together from three sorts of fish.',
  ],
  inheritance: [
    'A will had been found in a clock, and a later one in the same clock.',
    'The old lady had promised it, on separate Sundays, to both.',
    'By one reading of the family tree the heir was a cousin overseas, by another nobody.',
    'It hung on whether a stepchild may inherit what was never entered in the deed.',
    'The testator had signed in bed, with the wrong hand, before a single witness.',
    "Both carried the dead man's name and neither could prove a wedding.",
  ],
  insult: [
    'It had started with a toast drunk in the wrong order.',
    'One had called the other, in print, a barometer without mercury.',
    'A caricature was passed round at a funeral.',
    'The word complained of was "adequate", and it had been said twice.',
    'A chair had been offered, and it was the low one.',
    'Somebody had yawned during the anniversary address, and not behind a hand.',
  ],
}
