import { basename, extname, posix } from 'node:path'
import { utcDate } from '../../../text/dates.ts'
import { isMap } from '../../../text/json.ts'
import { decodeText } from '../decode.ts'
import { defineReader, Unreadable } from '../reader.ts'
import { areDocuments, recordsAsDocuments } from './table.ts'

interface Message {
  readonly sender: string
  readonly text: string
  /** ISO date, or the date as it is written; '' if it has none. */
  readonly date: string
}

/**
 * A chat in JSON: a list of messages, as each day of a channel in Slack's export, or an object with `messages`, as Telegram's.
 * The file is one document with a paragraph for each message. A list of records with a text each has a document a record. Other JSON
 * is no document.
 */
export const messages = defineReader({
  name: 'messages',
  version: 4,
  isText: true,
  read(bytes, file) {
    const value = parsed(decodeText(bytes))
    const list = isMap(value) ? value.messages : value
    const all: readonly unknown[] = Array.isArray(list) ? list : []
    const found = all.flatMap((one) => messageOf(one) ?? [])
    if (found.length === 0 && Array.isArray(value) && areDocuments(value))
      return recordsAsDocuments(value, file)
    if (found.length === 0) throw new Unreadable('JSON without messages')
    const name = basename(file, extname(file))
    const channel =
      isMap(value) && typeof value.name === 'string' ? value.name : posix.basename(posix.dirname(file))
    return [
      {
        title: channel === '.' || channel === '' ? name : `${channel} ${name}`,
        text: found.map(({ sender, text }) => `${sender}: ${text}`).join('\n\n'),
        metadata: {
          ...(found[0].date && { date: found[0].date }),
          senders: [...new Set(found.map(({ sender }) => sender))],
        },
        lacking: all.length - found.length,
      },
    ]
  },
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('damaged JSON')
  }
}

/** A message with text, sender and time; undefined for any other value. */
function messageOf(value: unknown): Message | undefined {
  if (!isMap(value)) return undefined
  const text = textOf(value.text ?? value.content).trim()
  const profile = isMap(value.user_profile) ? value.user_profile : {}
  const names = [
    profile.real_name,
    profile.display_name,
    value.from,
    value.username,
    value.user,
    value.author,
    // The name of a deleted account is null.
    value.from_id,
  ]
  const sender = names.map((name) => senderOf(name)).find((name) => name !== '')
  const time = value.date_unixtime ?? value.ts ?? value.date ?? value.timestamp
  if (text === '' || sender === undefined || time === undefined) return undefined
  return { sender, text, date: dateOf(time) }
}

/** Most lists and objects around a text. */
const DEEPEST = 100

function requireShallow(depth: number): void {
  if (depth > DEEPEST) throw new Unreadable(`JSON of more than ${DEEPEST} lists in one another`)
}

function senderOf(value: unknown, depth = 0): string {
  requireShallow(depth)
  if (typeof value === 'number') return String(value)
  if (isMap(value)) return senderOf(value.name ?? value.username, depth + 1)
  return typeof value === 'string' ? value : ''
}

/** A text, or Telegram's list of pieces; Slack's marks of users, channels and links as their words. */
function textOf(value: unknown, depth = 0): string {
  requireShallow(depth)
  if (Array.isArray(value)) return value.map((one) => textOf(one, depth + 1)).join('')
  if (isMap(value)) return textOf(value.text, depth + 1)
  if (typeof value !== 'string') return ''
  return value
    .replace(/<(?:[@#!][^<|>]*|(?:https?|mailto):[^<|>]*)\|([^<>]*)>/g, '$1')
    .replace(/<([@#!]\w+|(?:https?|mailto):[^<>\s]*)>/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}

/** Slack counts seconds since 1970, other programs milliseconds. A date in another form stays as it is written. */
function dateOf(time: unknown): string {
  const [number] = /^\d{9,10}(?:\.\d+)?$|^\d{13}$/.exec(String(time)) ?? []
  if (number === undefined)
    return utcDate(String(time))?.toISOString() ?? (/\d/.test(String(time)) ? String(time) : '')
  return new Date(Number(number) * (Number(number) >= 1e12 ? 1 : 1000)).toISOString()
}
