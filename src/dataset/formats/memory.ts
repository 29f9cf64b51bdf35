import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { type DocumentRecord, defineFormat, type Params } from '../format.ts'
import type { Fields } from '../lines.ts'
import { textsOf } from '../mappers.ts'
import { anId, parsed } from '../schema.ts'

interface Session {
  readonly id: string
  readonly date: string
  readonly turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[]
}

const shared = {
  path: 'the JSON file, plain or .gz',
  place: 'file',
  params: {
    unit: z
      .enum(['turn', 'session'])
      .default('turn')
      .describe('the document that is found: one turn, or all turns of a session'),
  },
  document: (values: object) => values as DocumentRecord,
} as const

/** Documents of sessions: titled with the date, and with the speaker before each turn. */
function documentsOf(sessions: readonly Session[], { unit }: Params, scope: Fields): DocumentRecord[] {
  return sessions.flatMap(({ id, date, turns }) => {
    const metadata = { ...scope, session: id, ...isoOf(date) }
    const documents = turns.map(({ id, speaker, text }) => ({
      id,
      title: date,
      text: `${speaker}: ${text}`,
      metadata: { ...metadata, speaker },
    }))
    if (unit === 'turn') return documents
    return [{ id, title: date, text: documents.map(({ text }) => text).join('\n'), metadata }]
  })
}

/** `1:56 pm on 8 May, 2023` and `2023/05/20 (Sat) 02:21` as an ISO date for filters; nothing for text that is no date. */
function isoOf(text: string): { date?: string } {
  const words = text.replace(/^(.*) on (.*)$/, '$2 $1').replace(/\(\w+\)/, '')
  const time = Date.parse(`${words} UTC`)
  return Number.isNaN(time) ? {} : { date: new Date(time).toISOString().slice(0, 16) }
}

const TURN = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().nullish(),
})
const CONVERSATION = z.object({ sample_id: anId, conversation: z.record(z.string(), z.unknown()) })
const QUESTIONS = z.object({ sample_id: z.unknown().optional(), qa: z.array(z.unknown()).default([]) })
const QA = z.object({
  question: z.string(),
  answer: z.unknown().optional(),
  evidence: z.union([z.string(), z.array(z.string())]).default([]),
  category: z.unknown().optional(),
})
const CATEGORIES = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

/**
 * LoCoMo (Maharana et al., ACL 2024): a list of conversations with their questions. The evidence of a question are the ids of
 * turns, `D1:3`; one text may hold several. By session, gold are the sessions of these turns.
 */
export const locomo = defineFormat({
  ...shared,
  name: 'locomo',
  summary: 'LoCoMo: conversations over many sessions, and questions with the turns that answer them',
  drops: 'adversarial_answer, event_summary, observation, session_summary; img_url and query of images',
  scope: 'conversation',
  clusters: 'conversation',
  roles: {
    corpus: {
      name: 'locomo10.json',
      keys: ['conversation'],
      rows(fields, params) {
        const { sample_id, conversation } = parsed(CONVERSATION, fields)
        return documentsOf(sessionsOf(sample_id, conversation), params, { conversation: sample_id })
      },
    },
    questions: {
      name: 'locomo10.json',
      keys: ['qa'],
      rows(fields) {
        const { sample_id, qa } = parsed(QUESTIONS, fields)
        return qa.map((item, at) => (isMap(item) ? { ...item, conversation: String(sample_id), at } : item))
      },
    },
  },
  recognises: ({ shape, files }) => shape(files[0]).head.includes('"dia_id"'),
  question(values, { params: { unit } }) {
    const { conversation, at } = values
    const { question, answer, evidence, category } = parsed(QA, values)
    const cited = [evidence].flat().flatMap((cell) => cell.split(/[;,\s]+/).filter((id) => id !== ''))
    return {
      id: `${conversation}/qa${at}`,
      text: question,
      category: CATEGORIES[Number(category) - 1] ?? (category == null ? null : String(category)),
      answers: textsOf(answer as Json),
      metadata: { conversation },
      gold: cited.map((id) => {
        // `D30:05` is D30:5. Another text stays, and is no id.
        const [, session, turn] = /^D(\d+):(\d+)$/.exec(id) ?? []
        const turnOf = unit === 'turn' ? `:${Number(turn)}` : ''
        return `${conversation}/${session === undefined ? id : `D${Number(session)}${turnOf}`}`
      }),
    }
  },
})

/** Sessions of a conversation of LoCoMo; the caption of an image stands behind the text of its turn. */
function sessionsOf(id: string, conversation: Readonly<Record<string, unknown>>): Session[] {
  const sessions = Object.entries(conversation).flatMap(([key, value]): Session[] => {
    const [, number] = /^session_(\d+)$/.exec(key) ?? []
    if (number === undefined) return []
    const turns = parsed(z.object({ [key]: z.array(TURN) }), { [key]: value })[key]
    const texts = turns.map(({ speaker, dia_id, text, blip_caption: caption }) => ({
      id: `${id}/${dia_id}`,
      speaker,
      text: caption ? `${text} [${caption}]` : text,
    }))
    return [{ id: `${id}/D${number}`, date: String(conversation[`${key}_date_time`] ?? ''), turns: texts }]
  })
  if (sessions.length > 0) return sessions
  throw new UserError(
    `the conversation "${id}" has no session; \`conversation\` holds lists of turns: session_1, session_2, ...`,
  )
}

const INSTANCE = z
  .object({
    question_id: anId,
    question_type: z.string(),
    question: z.string(),
    answer: z.unknown().optional(),
    question_date: z.string().default(''),
    haystack_session_ids: z.array(anId),
    haystack_dates: z.array(z.string()),
    haystack_sessions: z
      .array(z.array(z.object({ role: z.string(), content: z.string(), has_answer: z.boolean().nullish() })))
      .min(1),
    answer_session_ids: z.array(anId),
  })
  .refine(
    ({ haystack_session_ids: ids, haystack_dates: dates, haystack_sessions: { length } }) =>
      ids.length === length && dates.length === length,
    'has `haystack_session_ids`, `haystack_dates` and `haystack_sessions` of different lengths',
  )
const file = { name: 'longmemeval_s.json', keys: ['question_id', 'haystack_session_ids'] }

/**
 * LongMemEval (Wu et al., ICLR 2025): each question has its own haystack of sessions. Gold are the sessions of
 * `answer_session_ids`, or by turn those with `has_answer`. A question whose id ends with `_abs` is unanswerable.
 */
export const longmemeval = defineFormat({
  ...shared,
  name: 'longmemeval',
  summary: 'LongMemEval: each question with its own history of sessions (S, M and oracle)',
  drops: 'gold of unanswerable questions',
  scope: 'haystack',
  roles: {
    corpus: {
      ...file,
      rows(fields, params) {
        const instance = parsed(INSTANCE, fields)
        return documentsOf(haystackOf(instance), params, { haystack: instance.question_id })
      },
    },
    // The corpus reports a record that is none.
    questions: { ...file, rows: (fields) => (INSTANCE.safeParse(fields).success ? [fields] : []) },
  },
  question(values, { params: { unit } }) {
    const instance = INSTANCE.parse(values)
    const { question_id: id, question, answer, question_type, question_date, answer_session_ids } = instance
    const answerable = !id.endsWith('_abs')
    const turns = haystackOf(instance).flatMap((session) => session.turns)
    const gold =
      unit === 'turn'
        ? turns.filter(({ isGold }) => isGold).map((turn) => turn.id)
        : answer_session_ids.map((session) => `${id}/${session}`)
    return {
      id,
      text: question,
      category: question_type,
      answers: answerable ? textsOf(answer as Json) : [],
      answerable,
      metadata: { haystack: id, ...isoOf(question_date) },
      gold: answerable ? gold : [],
    }
  },
})

function haystackOf(instance: z.output<typeof INSTANCE>) {
  return instance.haystack_sessions.map((turns, at) => {
    const id = `${instance.question_id}/${instance.haystack_session_ids[at]}`
    const texts = turns.map(({ role, content, has_answer }, turn) => ({
      id: `${id}#${turn + 1}`,
      speaker: role,
      text: content,
      isGold: has_answer === true,
    }))
    return { id, date: instance.haystack_dates[at], turns: texts }
  })
}
