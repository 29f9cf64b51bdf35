import type { Completion } from './chat-model.ts'

/** A completion's text, and the reasoning that stood before it. */
interface Spoken {
  readonly text: string
  /** Empty if there is none. */
  readonly reasoning: string
}

/**
 * Names of the marks around reasoning: `think` of DeepSeek, Qwen and many others, `thinking` of prompts for Claude,
 * `thought` of Gemini and EXAONE, `reasoning` of Reka, `seed:think` of Seed-OSS. Magistral writes [THINK].
 */
const NAMES = '(think|thinking|thought|reasoning|seed:think)'
const OPENING = new RegExp(`^\\s*(?:<${NAMES}>|\\[(THINK)\\])`, 'i')
const CLOSING = new RegExp(`(?<!["'\`])(?:</${NAMES}>|\\[/(THINK)\\])`, 'i')
const LONGEST_MARK = '<seed:think>'.length

/**
 * Parts reasoning from what follows it. A block between marks is reasoning if it leads; in the middle of a text it is
 * text. A block without an end has no text behind it. A text that closes a block and opens none before is the output of
 * a template that opens the block in the prompt, as Qwen's.
 */
export function partReasoning(given: string): Spoken {
  let text = given
  let reasoning = ''
  for (let opening = OPENING.exec(text); opening; opening = OPENING.exec(text)) {
    const inside = text.slice(opening[0].length)
    const block = blockOf(inside, (opening[1] ?? opening[2]).toLowerCase())
    reasoning += block ? inside.slice(0, block.end) : inside
    text = block ? inside.slice(block.next) : ''
  }
  if (text === given) {
    const closing = CLOSING.exec(text)
    const name = closing?.[1] ?? closing?.[2]
    const isData = /^\s*[{[`]/.test(text)
    if (closing && name && !isData && !marks(name).opening.test(text.slice(0, closing.index))) {
      reasoning = text.slice(0, closing.index)
      text = text.slice(closing.index + closing[0].length)
    }
  }
  return text === given ? { text, reasoning: '' } : { text: text.trimStart(), reasoning: reasoning.trim() }
}

/** Parts of a growing text: a beginning that may become a mark is not text yet. */
export function partGrowing(given: string): Spoken {
  const parted = partReasoning(given)
  if (parted.reasoning !== '' || parted.text !== given) return parted
  const start = given.trimStart()
  const mayOpen = start.length < LONGEST_MARK && /^(<[a-z:]*|\[[a-z]*)?$/i.test(start)
  return mayOpen ? { text: '', reasoning: '' } : parted
}

/** A completion whose text holds no reasoning: kept ones of earlier versions may. */
export function withReasoningApart<C extends Pick<Completion, 'text' | 'reasoning'>>(completion: C): C {
  if (completion.reasoning !== undefined) return completion
  const { text, reasoning } = partReasoning(completion.text)
  return text === completion.text ? completion : { ...completion, text, reasoning }
}

function marks(name: string): { readonly opening: RegExp; readonly any: RegExp } {
  const word = name.toLowerCase()
  return {
    opening: new RegExp(`<${word}>|\\[${word}\\]`, 'i'),
    any: new RegExp(`<(/?)${word}>|\\[(/?)${word}\\]`, 'gi'),
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
