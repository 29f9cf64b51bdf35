export const INSTITUTE = [
  '{mention} was founded in {founded} by {foundedBy}, [out of spite toward an older body|with the winnings of a single card game|at the request of nobody]. Over the door [hangs|is carved] its emblem, {emblem}. {colour} Members may [bring a guest but not a dog|speak only when the lamp is lit].',
  'In {founded} {foundedBy} rented two rooms over a [bakery|saddlery|fish cellar], nailed up a board painted with {emblem}, and called the result {mention}. {colour} The emblem has stayed; [the smell of bread has too|the rent has not].',
  '{mention} [likes to be thought|pretends to be] older than it is. The deed is dated {founded} and signed by its founder, {foundedBy}, [in green ink|with a thumbprint]. {colour} On the seal one sees {emblem}.',
  'Two things are known to every cab driver about {mention}: that its emblem is {emblem}, and that the porter bites. {colour} Fewer know that {foundedBy} founded it, in {founded}, [after being refused a library ticket|to settle a bet].',
  'The first meeting of {mention} took place in {founded}; {foundedBy}, the founder, [was the only one to come|took the chair and kept it for thirty years]. {colour} Candidates swear upon {emblem}, which is the emblem, cast in [lead|plaster].',
  'Without the money of {foundedBy} there would be no {name}. The founder laid [the first brick|the cornerstone, crooked,] in {founded} and chose as emblem {emblem}, [to please a child|for reasons never given]. {colour}',
]
