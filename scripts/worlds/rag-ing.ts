import { createRandom, type Random } from './random.ts'
import { type Asked, beir, names, type Passage, times, type World } from './world.ts'

/**
 * Papers of an operations team (seed document 004): tickets, runbooks, release notes and scripts, each with a source, a
 * type and a date. Error codes, tickets and versions stand in one paper that is meant and in digests that only list them.
 */
export function ragIng(seed: number): World {
  const random = createRandom(seed)
  const services = names(random, 12)
  const incidents = times(48, (index) => incidentOf(random, services[index % services.length], index))
  const tickets = incidents.map(ticketOf)
  const runbooks = services.map((service, index) =>
    paper(
      'wiki',
      '.md',
      date(index),
      `Runbook of ${service}`,
      `${service} is restarted from its console. ${STEPS[index % STEPS.length]} Afterwards the queue of ${service} drains by itself.`,
    ),
  )
  const versions = random.shuffle(times(64, (n) => `v${1 + (n >> 4)}.${1 + ((n >> 2) & 3)}.${1 + (n & 3)}`))
  const releases = versions.map((version, index) =>
    paper(
      ...(['git', '.md', date(20 + index), `Release notes ${index + 1}`] as const),
      `${version}: ${CHANGES[index % CHANGES.length]}. It replaces ${versions[(index + 17) % 64]}, needs ${versions[(index + 40) % 64]} of the scheduler and was tested with ${versions[(index + 5) % 64]} and ${versions[(index + 51) % 64]}.`,
    ),
  )
  const minutes = times(14, (index) =>
    paper('wiki', '.md', date(80 + index), `Minutes ${index + 1}`, minutesOf(versions[30 + index], index)),
  )
  const scripts = services.map((service, index) =>
    paper(
      'git',
      index % 2 === 0 ? '.py' : '.sql',
      date(40 + index),
      `${service.toLowerCase()}_cleanup`,
      `${index % 2 === 0 ? 'def cleanup():' : 'DELETE FROM jobs'} removes finished jobs of ${service} that are older than ${7 + index} days.`,
    ),
  )
  const digests = times(6, (week) =>
    paper(
      'mail',
      '.txt',
      date(60 + week),
      `Digest of week ${week + 1}`,
      `Open this week: ${incidents
        .filter((_, index) => index % 6 === week)
        .map(({ code, ticket }) => `${code} (${ticket})`)
        .join(', ')}. Errors again in many services, please restart and read the tickets.`,
    ),
  )
  const ask = (category: string, text: string, gold: Passage): Asked => ({
    text,
    category,
    gold: [gold],
    metadata: { source_type: gold.metadata?.source_type },
  })
  const questions: Asked[] = [
    ...incidents
      .slice(0, 26)
      .map(({ code }, index) => ask('error code', `How was ${code} solved?`, tickets[index])),
    ...incidents
      .slice(20, 36)
      .map(({ ticket }, index) => ask('ticket', `What did we decide in ${ticket}?`, tickets[20 + index])),
    ...releases
      .slice(0, 24)
      .map((release, index) => ask('version', `What is new in ${versions[index]}?`, release)),
    ...incidents
      .slice(24, 48)
      .map(({ service, fault }, index) =>
        ask('in words', `${service} has trouble, ${fault.asked}: what helps?`, tickets[24 + index]),
      ),
    ...minutes.map((paper, index) =>
      ask(
        'long paper',
        `Where do we say that after ${versions[30 + index]} it ${FAULTS[index % 5].told}, ${CURES[(index + 2) % 5].toLowerCase()} and it was closed after a day of watching?`,
        paper,
      ),
    ),
    ...services.map((service, index) =>
      ask('procedure', `How do I bring ${service} up again?`, runbooks[index]),
    ),
    ...services.map((service, index) =>
      ask('script', `Which job gets rid of old work of ${service}?`, scripts[index]),
    ),
    ...times(6, (week) =>
      ask(
        'digest',
        `Which codes were open in week ${week + 1}, after ${incidents[week].code}?`,
        digests[week],
      ),
    ),
  ]
  return beir([...tickets, ...runbooks, ...releases, ...scripts, ...digests, ...minutes], questions)
}

function incidentOf(random: Random, service: string, index: number) {
  return {
    service,
    code: `ERR-${4100 + 7 * index}`,
    ticket: `TICKET-${880 + index}`,
    fault: FAULTS[index % FAULTS.length],
    cure: CURES[random.int(CURES.length)],
  }
}

function ticketOf(
  { service, code, ticket, fault, cure }: ReturnType<typeof incidentOf>,
  index: number,
): Passage {
  return paper(
    'jira',
    '.txt',
    date(index),
    `${ticket} ${service}`,
    `${service} ${fault.told} and logged ${code}. ${cure} Closed after a day of watching.`,
  )
}

/** Long minutes, in which a word weighs less than in a ticket. */
function minutesOf(version: string, index: number): string {
  const steps = times(5, (step) => {
    const [fault, cure] = [FAULTS[(index + step) % 5], CURES[(index + 3 * step) % 5]]
    return `${OPENERS[step]} one of us told how a service ${fault.told}. ${cure} That was closed after a day of watching, and we thanked those who were awake. ${ASIDES[(index + step) % ASIDES.length]}`
  })
  return `We met after ${version} went out. ${steps.join(' ')}`
}

const paper = (
  source_type: string,
  file_type: string,
  processed_date: string,
  title: string,
  text: string,
): Passage => ({ title, text, metadata: { source_type, file_type, processed_date } })

const date = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)

const OPENERS = ['First', 'Then', 'After lunch', 'Later', 'At the end']
const ASIDES = [
  'The coffee machine on the second floor is broken again, and nobody wants to clean it before the visit of the auditors.',
  'The plan of the summer is on the wall; whoever is away writes the name of a deputy beside the own name, in ink.',
  'Two colleagues begin in spring, they sit by the window and learn the tools of the trade from everyone in turn.',
  'The budget of next year was read aloud line by line, with questions about travel, paper, light bulbs and plants.',
]
const FAULTS = [
  { told: 'answered slowly', asked: 'users wait for long' },
  { told: 'ran out of memory', asked: 'it is killed by the kernel' },
  { told: 'lost its connection to the database', asked: 'no query gets through' },
  { told: 'wrote each message twice', asked: 'customers get duplicates' },
  { told: 'refused certificates', asked: 'TLS handshakes fail' },
] as const
const CURES = [
  'The cache was made smaller.',
  'A pool of connections was added.',
  'The job was moved to another node.',
  'A retry was taken out.',
  'The certificate was renewed.',
] as const
const STEPS = [
  'Drain it first, then press the red button twice.',
  'Tell the support before, it takes ten minutes.',
  'Only the owner of the key may do so.',
] as const
const CHANGES = [
  'faster start, smaller image',
  'a retry was taken out, since it doubled messages',
  'dates are stored in UTC',
  'the log names the tenant',
] as const
