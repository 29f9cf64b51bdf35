import { expect, test } from 'vitest'
import { Unreadable } from '../../../src/dataset/folder/reader.ts'
import { eml, mbox } from '../../../src/dataset/folder/readers/mail.ts'
import { messages } from '../../../src/dataset/folder/readers/messages.ts'
import { loadDataset } from '../../../src/dataset/load.ts'
import { temporaryFolder } from '../../temporary.ts'

const chat = async (...list: unknown[]) =>
  messages.read(Buffer.from(JSON.stringify({ name: 'Crew', messages: list })), 'result.json')
const one = { from: 'Orr', date: '2024-03-02T08:00:00', text: 'Nine shells' }

test('a mail in HTML loses styles, scripts and its title', async () => {
  const page =
    '<html><head><title>Letter</title><style>p { color: red }</style></head><body><p>Nine shells.</p><script>track()</script></body></html>'
  // A space at the end that is written out.
  const mail = `Subject: =?utf-8?Q?Toll=20?=\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${page}\r\n`
  expect(await eml.read(Buffer.from(mail), 'a.eml')).toMatchObject([{ title: 'Toll', text: 'Nine shells.' }])
})

test('a mailbox is cut where a mail begins, not at a sentence that begins with From', async () => {
  const body = [
    'We sell rye.',
    'From 2019 to 2021 we grew by half.',
    'From Monday 4 March 2024 on the gate opens at 8:00.',
  ]
  const mail = (separator: string, text: string) => `${separator}\nSubject: S\n\n${text}\n\n`
  const box = [
    mail('From asa@lomm.example Fri Mar  1 08:00:00 2024', body.join('\n\n')),
    mail('From - Fri Mar 01 08:00:00 2024', 'Second.'),
    mail('From asa at lomm.example  Fri Mar  1 08:00:00 2024', 'Third.'),
    mail('From 17@xxx Mon Jan 01 00:00:00 +0000 2024', 'Fourth.'),
  ]
  const found = await mbox.read(Buffer.from(box.join('')), 'a.mbox')
  expect(found.map(({ text }) => text)).toEqual([body.join('\n\n'), 'Second.', 'Third.', 'Fourth.'])
})

test('a message of a deleted account has its id as sender; what is dropped is counted', async () => {
  const gone = { ...one, from: null, from_id: 'user1' }
  const old = { ...one, from: null, from_id: 4321 }
  const service = { type: 'service', date: one.date, text: '' }
  const [{ text }] = await chat(one, gone, old, service)
  expect(text).toBe('Orr: Nine shells\n\nuser1: Nine shells\n\n4321: Nine shells')
  const folder = temporaryFolder({
    'result.json': JSON.stringify([one, service, { text: 'x' }]),
    'a.md': '# A\n',
  })
  const { notices } = await loadDataset({ name: 'folder', params: { path: folder } }, '.')
  expect(notices).toEqual(['2 messages without text, sender or time left out: result.json'])
})

test('dates do not depend on the time zone of the machine', async () => {
  const zone = process.env.TZ
  process.env.TZ = 'America/New_York'
  try {
    const dateOf = async (time: object) => (await chat({ from: 'Orr', text: 'x', ...time }))[0].metadata.date
    expect(await dateOf({ date: '2024-03-02T08:00:00' })).toBe('2024-03-02T08:00:00.000Z')
    expect(await dateOf({ date: '2024-03-02T08:00:00', date_unixtime: '1709280000' })).toBe(
      '2024-03-01T08:00:00.000Z',
    )
    // 1 February, or 2 January.
    expect(await dateOf({ date: '01.02.2024 10:00' })).toBe('01.02.2024 10:00')
    expect(await dateOf({ timestamp: 1709280000123 })).toBe('2024-03-01T08:00:00.123Z')
    expect(await dateOf({ ts: '1709280000.12' })).toBe('2024-03-01T08:00:00.120Z')
    const [mail] = await eml.read(
      Buffer.from('Subject: S\nDate: Fri, 1 Mar 2024 08:00:00\n\nText.\n'),
      'a.eml',
    )
    expect(mail.metadata.date).toBe('2024-03-01T08:00:00.000Z')
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

test('marks of users that never end take time in proportion to their number', async () => {
  const begin = performance.now()
  await chat({ ...one, text: '<@'.repeat(200_000) }, { ...one, text: '<http:'.repeat(100_000) })
  expect(performance.now() - begin).toBeLessThan(2000)
})

test.each(['text', 'from'])('a %s deep inside other values is no chat', async (field) => {
  const [open, close] = field === 'text' ? ['[', ']'] : ['{"name":', '}']
  const deep = `${open.repeat(20_000)}"x"${close.repeat(20_000)}`
  const rest = JSON.stringify({ ...one, [field]: undefined }).slice(1)
  const read = async () => messages.read(Buffer.from(`[{"${field}":${deep},${rest}]`), 'a.json')
  await expect(read()).rejects.toThrow(Unreadable)
})
