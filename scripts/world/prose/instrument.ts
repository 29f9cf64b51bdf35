export const INSTRUMENT = [
  '{mention} [measures|was meant to measure] [what the sea is about to do|very small differences|the patience of its owner]. {inventedBy} invented it, of {material}, and the only working example is kept at {keptAt}. {colour}',
  '[An awkward thing|A thing of some beauty] of {material}, {mention} stands [in a locked case|on a windowsill|behind the stairs] at {keptAt}. Its inventor, {inventedBy}, [never learned to read it|died believing it unfinished]. {colour}',
  'The idea of {mention} came to {inventedBy}, its inventor, [in a bath|during a long sermon|while losing at draughts]. {colour} Made of {material}, it [loses a minute a year|must be wound by a left-handed person], and {keptAt} keeps it [oiled|under a shawl].',
  '{inventedBy} invented {mention} [for a prize that was never paid|to win an argument]. It consists of {material} and [a good deal of hope|one moving part]. {colour} Nobody may touch it now but the curator of {keptAt}, where it is kept.',
  'Of the [nine|twelve|thirty] made, one {name} survives, at {keptAt}, which keeps it. {material} went into it, and [eleven years|two fortunes], those of {inventedBy}, who had invented it. {colour}',
]
