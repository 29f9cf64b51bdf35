import type { Relation } from '../model.ts'

/** How questions name the entity that a fact leads to: `{x}` is the fact's subject, and may itself be such a phrase. */
export const NOUN: Readonly<Partial<Record<Relation, string>>> = {
  bornIn: '[the birthplace of {x}|the town where {x} was born]',
  trainedAt: '[the school that trained {x}|the institute at which {x} studied]',
  pupilOf: '[the teacher of {x}|the person who taught {x}]',
  diedIn: 'the town in which {x} died',
  leftTo: 'the heir of {x}',
  builtBy: '[the builder of {x}|the person who built {x}]',
  builtAt: 'the town that launched {x}',
  master: 'the captain of {x}',
  ledBy: '[the leader of {x}|the person who led {x}]',
  sailedIn: '[the ship used by {x}|the vessel of {x}]',
  paidBy: '[the body that paid for {x}|the sponsor of {x}]',
  foundedBy: '[the founder of {x}|the person who founded {x}]',
  inventedBy: 'the inventor of {x}',
  keptAt: 'the institute that keeps {x}',
  mayor: '[the first mayor of {x}|the person who was first to be mayor of {x}]',
  about: 'the thing fought over in {x}',
  plaintiff: 'the plaintiff in {x}',
  defendant: 'the defendant in {x}',
  settledBy: '[the arbiter of {x}|the person who settled {x}]',
}

/** How questions ask for what a fact says. */
export const ASK: Readonly<Partial<Record<Relation, string>>> = {
  bornIn: '[In which town was {x} born?|What is the birthplace of {x}?]',
  bornYear: 'In what year was {x} born?',
  trainedAt: '[Where did {x} study?|Which institute trained {x}?]',
  pupilOf: '[Who taught {x}?|Whose pupil was {x}?]',
  keeps: 'What did {x} keep at home?',
  diedIn: '[Where did {x} die?|In which town did {x} die?]',
  leftTo: 'Who inherited the papers of {x}?',
  builtBy: '[Who built {x}?|Which shipbuilder made {x}?]',
  builtAt: 'Where was {x} built?',
  launched: 'In what year was {x} launched?',
  timber: '[What wood was {x} made of?|Of which timber was {x} built?]',
  master: 'Who commanded {x}?',
  cargo: 'What freight did {x} carry?',
  ledBy: '[Who led {x}?|Under whose command did {x} set out?]',
  sailedIn: '[Which ship carried {x}?|Aboard which vessel did {x} travel?]',
  paidBy: '[Who paid for {x}?|Which body bore the cost of {x}?]',
  boundFor: '[What was the goal of {x}?|Where was {x} meant to go?]',
  setOut: 'In what year did {x} sail?',
  crew: 'How many people took part in {x}?',
  foundedBy: '[Who founded {x}?|By whom was {x} set up?]',
  founded: 'When was {x} founded?',
  emblem: '[What does the emblem of {x} show?|What is on the seal of {x}?]',
  inventedBy: '[Who invented {x}?|Whose invention is {x}?]',
  keptAt: '[Where is {x} kept today?|Which institute keeps {x}?]',
  material: 'What is {x} made of?',
  mayor: '[Who was the first mayor of {x}?|Whom did {x} first have for mayor?]',
  product: '[What is the trade of {x}?|From what do the people of {x} live?]',
  chartered: 'When did {x} get its charter?',
  landmark: 'What sight are visitors to {x} shown?',
  plaintiff: 'Who brought the complaint in {x}?',
  defendant: 'Who was accused in {x}?',
  about: 'What was {x} fought over?',
  settledBy: '[Who settled {x}?|Who was the judge in {x}?]',
  heard: 'In what year was {x} settled?',
  verdict: 'What was decided in {x}?',
}

/** How questions ask from a fact's object, `{x}`, back to its subject; only where the object has one such subject. */
export const ASK_BACK: Readonly<Partial<Record<Relation, string>>> = {
  builtBy: '[Which ship did {x} build?|What vessel came from the yard of {x}?]',
  master: 'Of which ship was {x} the captain?',
  ledBy: '[Which journey did {x} lead?|Of what expedition was {x} in command?]',
  sailedIn: '[What expedition made use of {x}?|Which voyage was made in {x}?]',
  paidBy: 'Which expedition was financed by {x}?',
  foundedBy: '[Which institute did {x} found?|Of which learned body is {x} the founder?]',
  inventedBy: '[What did {x} invent?|Which instrument is due to {x}?]',
  keptAt: 'Which instrument can be seen at {x}?',
  mayor: '[Of which town was {x} the first mayor?|Where did {x} hold the office of mayor?]',
  plaintiff: 'In which affair was {x} the complaining side?',
  settledBy: '[Which quarrel was ended by {x}?|In what case did {x} give judgement?]',
  pupilOf: 'Who studied under {x}?',
  leftTo: 'Whose papers came to {x}?',
}

/** Questions that ask for all passages of a theme. Each has some of the words of some of its tellings. */
export const THEMES: Readonly<Record<string, string>> = {
  ice: 'Give an overview of the expeditions that were stopped by ice: frozen in, crushed, or cut off by floes and bergs.',
  mutiny:
    'On which voyages did the crew refuse to obey, lock up the officers or hold a vote against the captain?',
  hunger:
    'Summarise how the provisions ran out: starving hands, spoiled beef and flour, rations halved, scurvy in the gums and teeth.',
  fire: 'Which expeditions burned: flames in the galley or the tar, sparks in the sails, smoke from the coal?',
  fraud:
    'Which journeys were swindles, with forged receipts, sold stores, invented islands or false accounts?',
  bearings:
    'Give an overview of the expeditions that got lost, through compass, chart, fog or a wrong reckoning.',
  plague: 'How did fever, infection and quarantine fill the sick lists of exploring ships?',
  storm: 'Which voyages met a gale, a squall or a hurricane that took their masts and boats?',
  priority:
    'Which disputes were about copying an idea, about who had made the discovery or the drawings first?',
  debt: 'Summarise the quarrels over money that was owed: loans, bills and notes that were never repaid.',
  forgery: 'Which disputes concerned faked evidence: false seals, altered tables, invented figures?',
  inheritance: 'Which quarrels were about a will and its heir, about a family tree or an unproved wedding?',
  insult: 'Give an overview of the cases that grew out of an insult: a toast, a word, a chair, a yawn.',
  reused: 'Which old ships were turned into a building, as a chapel, an alehouse, an office or a theatre?',
  wrecked: 'Which ships were wrecked on a rock, a reef or a sandbank close to the shore?',
  vanished: 'Which ships disappeared, were never seen again and are missing from the records?',
  captured: 'Which ships were taken as a prize by privateers, pirates or an enemy navy?',
}
