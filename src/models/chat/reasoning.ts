import type { Completion } from './chat-model.ts'

/** A completion's text, and the reasoning before it. */
interface Spoken {
  readonly text: string
  /** Empty if there is none. */
  readonly reasoning: string
}

/**
 * Names of the marks around reasoning: `think` of DeepSeek, Qwen and many others, `thinking` and `scratchpad` of prompts for
 * Claude, `thought` of Gemini and EXAONE, `reasoning` of Reka, `reflection` of Reflection, `seed:think` of Seed-OSS.
 * Magistral writes [THINK].
 */
const NAMES =
  '(think|thinking|antthinking|thoughts?|thought_process|inner_thoughts|inner_monologue|chain_of_thought|reasoning|reflection|scratchpad|analysis|seed:think)'
const BLANK = '[\\s\\u200b\\u2060]*'
const OPENING = new RegExp(`^${BLANK}(?:<${NAMES}>|\\[(THINK)\\])`, 'i')
const OPENING_LINE = new RegExp(`^[ \\t]*<${NAMES}>`, 'gim')
const CLOSING = new RegExp(`(?<!["'\`])(?:</${NAMES}>|\\[/(THINK)\\])`, 'i')
/** Characters of a beginning that may become a mark. */
const LONGEST_MARK = 60

/** Other spellings of the same marks: Kimi, OpenThinker, gpt-oss (harmony), Granite, Apriel, Gemma 4, MedGemma, blanks and attributes. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`<\\|(/?)${NAMES}\\|>`, 'gi'), '<$1$2>'],
  [/^(<think>[\s\S]*?)Here(?:'s| is) my response:/, '$1</think>'],
  [/\[BEGIN FINAL RESPONSE\]([\s\S]*?)(?:\[END FINAL RESPONSE\][\s\S]*)?$/, '</think>$1'],
  [/◁(\/?)think▷/g, '<$1think>'],
  [/(?:<\|channel>|<unused94>)(?:thought\b)?/g, '<think>'],
  [/<channel\|>|<unused95>/g, '</think>'],
  [/<\|begin_of_thought\|>|<\|channel\|>analysis<\|message\|>/g, '<think>'],
  [
    /<\|end_of_thought\|>|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/g,
    '</think>',
  ],
  [new RegExp(`<${NAMES}(?:\\s[^<>]*)?/>`, 'gi'), '<$1></$1>'],
  [new RegExp(`<${NAMES}\\s[^<>]*>`, 'gi'), '<$1>'],
  [new RegExp(`</\\s*${NAMES}\\s*>`, 'gi'), '</$1>'],
]

/**
 * Sentences that begin reasoning, and what ends it: Granite, Apriel. Anybody may write such a sentence, so it begins reasoning
 * only if the end follows, or if the completion was cut.
 */
const SENTENCES: readonly (readonly [beginning: RegExp, end: RegExp])[] = [
  [/^\s*Here(?:'s| is) my thought process:/, /Here(?:'s| is) my response:/],
  [/^\s*Here are my reasoning steps:/, /\[BEGIN FINAL RESPONSE\]/],
]

/**
 * Parts reasoning from what follows it. A block between marks is reasoning if it leads or begins a line; within a line it
 * is text. A block without an end has no text around it. A text that closes a block and opens none before is the output of
 * a template that opens the block in the prompt, as Qwen's. `isCut`: the completion ends early.
 */
export function partReasoning(given: string, isCut = false): Spoken {
  const { text, reasoning, isOpen } = partBlocks(given, isCut)
  return { text: isOpen ? '' : withoutEndMarks(text), reasoning }
}

/**
 * Marks of a turn's end that some servers leave in the text: harmony, ChatML, Llama, Gemma, Mistral, DeepSeek, Command, EXAONE,
 * InternLM.
 */
const END_MARKS = [
  ...['<|return|>', '<|end|>', '<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|endoftext|>'],
  ...['<|end_of_text|>', '<end_of_turn>', '<turn|>', '</s>', '<｜end▁of▁sentence｜>'],
  ...['<|END_OF_TURN_TOKEN|>', '[|endofturn|]', '<eoa>'],
]

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const TURN =
  /<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|turn>|<\|start\|>|<\|(?:user|assistant|system)\|>|\[INST\]|<｜(?:User|Assistant)｜>|<\|START_OF_TURN_TOKEN\|>|\[\|(?:user|assistant)\|\]/
/** A turn's end, and the beginning of another one, which a model writes if nothing stops it. */
const NEXT_TURN = new RegExp(`(?:${END_MARKS.map(escaped).join('|')})\\s*(?:<s>\\s*)?(?:${TURN.source})`, 'g')
/** Parts of a text that show marks: fenced code, code in a line, strings of JSON. */
const SHOWN = /```[\s\S]*?(?:```|$)|(`+)[^\n]*?\1/g
const STRINGS = /"(?:[^"\\]|\\.)*\\?(?:"|$)/gs

/** Marks of one kind that are read: a model that repeats itself writes thousands, and each is looked for in the whole text. */
const MOST = 100

/** JSON, or code. */
const DATA = /^\s*[{[`]/

/**
 * A text without the turns after it. Marks that the text shows are part of it: in code, or in a string of JSON. A text that shows
 * whole turns stays.
 */
function firstTurn(text: string): string {
  for (const next of [...text.matchAll(NEXT_TURN)].slice(0, MOST)) {
    const before = text.slice(0, next.index)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const isCode = isOdd(before, /```/g) || isOdd(line, /`+/g)
    const isString = DATA.test(text) && isOdd(before.replace(/\\./g, ''), /"/g)
    if (isCode || isString) continue
    const said = before.replace(SHOWN, '')
    return TURN.test(DATA.test(text) ? said.replace(STRINGS, '') : said) ? text : before
  }
  return text
}

function isOdd(text: string, mark: RegExp): boolean {
  return [...text.matchAll(mark)].length % 2 === 1
}

function withoutEndMarks(given: string): string {
  const text = firstTurn(given)
  // Struck-through text of HTML ends with one of them.
  if (/<s(?:\s[^<>]*)?>/.test(text)) return text
  let rest = text
  for (;;) {
    const trimmed = rest.trimEnd()
    const mark = END_MARKS.find((one) => trimmed.endsWith(one))
    if (mark === undefined) return rest
    rest = trimmed.slice(0, -mark.length)
  }
}

/** `isOpen`: a block has no end; the text is what comes before it. */
function partBlocks(given: string, isCut: boolean): Spoken & { readonly isOpen: boolean } {
  const begun = SENTENCES.reduce(
    (text, [beginning, end]) => (isCut || end.test(text) ? text.replace(beginning, '<think>') : text),
    given,
  )
  const spelled = SPELLINGS.reduce((text, [mark, plain]) => text.replace(mark, plain), begun)
  let text = spelled
  let reasoning = ''
  let isOpen = false
  let blocks = 0
  for (let opening = OPENING.exec(text); opening && blocks++ < MOST; opening = OPENING.exec(text)) {
    const inside = text.slice(opening[0].length)
    const block = blockOf(inside, opening[1] ?? opening[2])
    reasoning += block ? inside.slice(0, block.end) : inside
    text = block ? inside.slice(block.next) : ''
    isOpen = !block
  }
  const isData = DATA.test(text)
  if (text === spelled) {
    const closing = CLOSING.exec(text)
    const name = closing?.[1] ?? closing?.[2]
    const before = text.slice(0, closing?.index)
    if (closing && name && !isData && !marks(name).opening.test(before)) {
      reasoning = before
      text = text.slice(closing.index + closing[0].length)
    }
  }
  if (text !== spelled) text = text.trimStart()
  for (let line = lineOf(text); line && !isData && blocks++ < MOST; line = lineOf(text)) {
    const inside = text.slice(line.next)
    const block = blockOf(inside, line.name)
    reasoning += block ? inside.slice(0, block.end) : inside
    text = text.slice(0, line.start) + (block ? inside.slice(block.next) : '')
    isOpen = !block
  }
  if (text === spelled) return { text: given, reasoning: '', isOpen }
  return { text: unwrapped(text), reasoning: reasoning.trim(), isOpen }
}

/** A mark that begins a line behind the first, outside of fenced code. */
function lineOf(
  text: string,
): { readonly start: number; readonly next: number; readonly name: string } | undefined {
  for (const found of [...text.matchAll(OPENING_LINE)].slice(0, MOST)) {
    const isCode = isOdd(text.slice(0, found.index), /```/g)
    if (!isCode) return { start: found.index, next: found.index + found[0].length, name: found[1] }
  }
  return undefined
}

/** A text without the marks that say only that it is the text: of OpenThinker, R1-Zero and gpt-oss. */
function unwrapped(text: string): string {
  const whole =
    /^(?:<answer>([\s\S]*)<\/answer>|<\|begin_of_solution\|>([\s\S]*?)(?:<\|end_of_solution\|>)?)$/i.exec(
      text.trim(),
    )
  return whole ? (whole[1] ?? whole[2]).trim() : text
}

/** Parts of a growing text: a beginning that may become a mark is not text yet. */
export function partGrowing(given: string): Spoken {
  const { text: whole, reasoning } = partBlocks(given, true)
  const text = withoutEndMarks(whole)
  const last = text.slice(text.lastIndexOf('\n') + 1)
  return last.length < LONGEST_MARK && GROWING.test(last)
    ? { text: text.slice(0, text.length - last.length), reasoning }
    : { text, reasoning }
}

/** A line that may become a mark. */
const GROWING = /^[\s\u200b\u2060]*(?:<\/?[a-z:]*\d*\|?(?:\s[^<>]*)?|<\|[\w|<>]*|\[\/?[a-z]*|◁\/?[a-z]*)$/i

/** A completion whose text has no reasoning: those stored by earlier versions may have some. */
export function withReasoningApart<C extends Pick<Completion, 'text' | 'reasoning'> & Partial<Completion>>(
  completion: C,
): C {
  if (completion.reasoning !== undefined) return completion
  const { text, reasoning } = partReasoning(completion.text, completion.finish === 'length')
  return text === completion.text ? completion : { ...completion, text, reasoning }
}

function marks(name: string): { readonly opening: RegExp; readonly any: RegExp } {
  return {
    opening: new RegExp(`<${name}>|\\[${name}\\]`, 'i'),
    any: new RegExp(`<(/?)${name}>|\\[(/?)${name}\\]`, 'gi'),
  }
}

/** The end of an open block: of its own mark if blocks in it are closed too, else the first end. */
function blockOf(inside: string, name: string): { readonly end: number; readonly next: number } | undefined {
  let depth = 1
  let first: { readonly end: number; readonly next: number } | undefined
  for (const found of inside.matchAll(marks(name).any)) {
    const closes = found[1] === '/' || found[2] === '/'
    depth += closes ? -1 : 1
    const here = { end: found.index, next: found.index + found[0].length }
    if (closes) first ??= here
    if (depth === 0) return here
  }
  return first
}
