import { parseHTML } from 'linkedom'
import PostalMime, { type Address } from 'postal-mime'
import { utcDate } from '../../../text/dates.ts'
import { markdownOf, removeUnseen } from '../html-markdown.ts'
import { defineReader, type FileDocument, Unreadable } from '../reader.ts'

/** One mail (RFC 5322), as mail programs save it. */
export const eml = defineReader({
  name: 'eml',
  version: 4,
  async read(bytes) {
    const mail = await mailOf(bytes)
    if (mail === undefined) throw new Unreadable('mail without text')
    return [mail.document]
  },
})

/**
 * A mailbox (mbox, RFC 4155): each mail is a document, called by its Message-ID if no other mail has it. A mail begins at a
 * line `From address weekday ... hh:mm ... year` behind an empty one; `>From ` at the start of a line is `From `.
 */
export const mbox = defineReader({
  name: 'mbox',
  version: 4,
  async read(bytes) {
    // Latin-1 keeps every byte as one character.
    const text = Buffer.from(bytes).toString('latin1')
    const [before, ...mails] = text.split(SEPARATOR)
    if (before.trim() !== '' || mails.length === 0)
      throw new Unreadable('mailbox that does not begin with "From "')
    const found: { readonly document: FileDocument; readonly id: string }[] = []
    for (const mail of mails) {
      const one = await mailOf(Buffer.from(mail.replace(/^>(>*From )/gm, '$1'), 'latin1'))
      if (one) found.push(one)
    }
    if (found.length === 0) throw new Unreadable('mailbox without text')
    const times = new Map<string, number>()
    for (const { id } of found) times.set(id, (times.get(id) ?? 0) + 1)
    return found.map(({ document, id }, index) => ({
      ...document,
      part: id !== '' && times.get(id) === 1 ? id : String(index + 1),
    }))
  },
})

/** Line before a mail of a mailbox, as `From asa@lomm.example Fri Mar  1 08:00:00 2024`; archives write `asa at lomm.example`. */
const SEPARATOR =
  /(?:^|(?<=\n\r?\n))From \S+(?: at \S+)? +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b(?=[^\n]*\b\d{4}\b)[^\n]*\d:\d\d[^\n]*\n/

async function mailOf(
  bytes: Uint8Array,
): Promise<{ readonly document: FileDocument; readonly id: string } | undefined> {
  const mail = await PostalMime.parse(bytes)
  const text = mail.text?.trim() || markdownOfMail(mail.html ?? '')
  const title = mail.subject?.trim() ?? ''
  if (text === '' && title === '') return undefined
  const from = mail.from ? nameOf(mail.from) : ''
  const to = (mail.to ?? []).map(nameOf).join(', ')
  const sent = mail.headers.find(({ key }) => key === 'date')?.value ?? ''
  const date = utcDate(sent)?.toISOString() ?? sent
  const attachments = mail.attachments.flatMap(({ filename }) => (filename ? [filename] : []))
  return {
    id: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    document: {
      title,
      text: text || title,
      metadata: {
        ...(date && { date }),
        ...(from && { from }),
        ...(to && { to }),
        ...(attachments.length > 0 && { attachments }),
      },
    },
  }
}

function markdownOfMail(html: string): string {
  const { document } = parseHTML(`<html><body>${html}</body></html>`)
  removeUnseen(document)
  return markdownOf(document.body)
}

function nameOf({ name, address }: Address): string {
  return name && address ? `${name} <${address}>` : name || address || ''
}
