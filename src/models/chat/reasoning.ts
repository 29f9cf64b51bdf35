const NAMES = `(?:think|thinking|antthinking|thoughts?|thought_process|inner_thoughts|inner_monologue|chain_of_thought|reasoning|reflection|scratchpad|analysis|seed:think)`
/** Marks around reasoning: of prompts and most models, Magistral and Apriel, Kimi, Gemma 4, MedGemma, OpenThinker, gpt-oss. */
const OPEN = `<\\|?${NAMES}(?:\\s[^<>]*)?/?\\|?>|\\[THINK\\]|◁think▷|(?:<\\|channel>|<unused94>)(?:thought\\b)?|<\\|begin_of_thought\\|>|<\\|channel\\|>analysis<\\|message\\|>`
const CLOSE = `<\\|?/\\s*${NAMES}\\s*\\|?>|\\[/THINK\\]|\\[BEGIN FINAL RESPONSE\\]|◁/think▷|<channel\\|>|<unused95>|<\\|end_of_thought\\|>|(?:<\\|end\\|>)?(?:<\\|start\\|>assistant)?<\\|channel\\|>final<\\|message\\|>`
// Parts of the answer that show marks (code, struck-through text, strings of JSON); a turn's end and beginning; sentences around
// reasoning, of Granite and Apriel; marks around the whole answer; a last line that may become a mark.
const [SHOWN, END, TURN, BEGIN, FINISH, WRAPPED, GROWING] = [
  /```[\s\S]*?(?:```|$)|(?<tick>`+)[^\n]*?\k<tick>|<s(?:\s[^<>]*)?>[^<]*<\/s>|"(?<=[{[,:]\s*")(?:[^"\\]|\\[\s\S])*"/,
  /<\|(?:return|end|im_end|eot_id|eom_id|endoftext|end_of_text|end_of_turn_token)\|>|<end_of_turn>|<turn\|>|<\/s>|<｜end▁of▁sentence｜>|\[\|endofturn\|\]|<eoa>|\[END FINAL RESPONSE\]/,
  /<\|(?:im_start|start_header_id|start|user|assistant|system|start_of_turn_token)\|>|<start_of_turn>|<\|turn>|\[INST\]|<｜(?:User|Assistant)｜>|\[\|(?:user|assistant)\|\]/,
  /^\s*Here(?:'s| is| are) my (?:thought process|reasoning steps):/,
  /Here(?:'s| is) my response:|\[BEGIN FINAL RESPONSE\]/,
  /^(?:<answer>|<\|begin_of_solution\|>)([\s\S]*?)(?:<\/answer>|<\|end_of_solution\|>)?$/i,
  /(?<=^|\n)(?=[^\n]{0,59}$)[\s\u200b\u2060]*(?:<\/?[a-z:]*\d*\|?(?:\s[^<>]*)?|<\|[\w|<>]*|\[\/?[a-z]*|◁\/?[a-z]*)$/i,
]
const MARKS = `${SHOWN.source}|(?:(?<line>(?<=^|\\n)[ \\t\\u200b\\u2060\\ufeff]*)|)(?<open>${OPEN})|(?<!["'\`])(?<close>${CLOSE})|(?<end>${END.source})(?:\\s*(?:<s>\\s*)?(?<next>${TURN.source}))?|(?<turn>${TURN.source})`
const [INSIDE, OUTSIDE] = [`(?<open>${OPEN})|${CLOSE}`, MARKS].map((source) => new RegExp(source, 'gi'))

/**
 * Parts reasoning (blocks that begin a line; text before an end whose beginning is in the prompt) from the answer, which ends with
 * its turn. An open block leaves no answer, or what is before it while the text `isGrowing`.
 */
export function partReasoning(whole: string, isCut = false, isGrowing = false) {
  const isBegun = BEGIN.test(whole) && (isCut || FINISH.test(whole))
  let rest = isBegun ? whole.replace(BEGIN, '<think>').replace(FINISH, '</think>') : whole
  let [text, reasoning, depth, at, blocks] = ['', '', 0, 0, 0]
  let [seen, first]: [string?, RegExpExecArray?] = []
  // A model that repeats itself writes thousands of blocks.
  while (blocks < 100) {
    const pattern = depth > 0 ? INSIDE : OUTSIDE
    pattern.lastIndex = at
    const mark: RegExpExecArray | undefined = pattern.exec(rest) ?? (depth > 0 ? first : undefined)
    if (!mark) break
    at = mark.index + mark[0].length
    const { line, open, close } = mark.groups ?? {}
    const isFirst = seen === undefined
    seen ??= open ?? close
    if (depth > 0) {
      depth = mark === first ? 0 : depth + (open ? 1 : -1)
      if (!open) first ??= mark
      if (depth > 0) continue
      reasoning += rest.slice(0, mark.index)
    } else if (open && line !== undefined) {
      text += rest.slice(0, mark.index)
      depth = open.endsWith('/>') ? 0 : 1
    } else if (close && isFirst) reasoning = rest.slice(0, mark.index)
    else continue
    ;[rest, at, first, blocks] = [rest.slice(at), 0, undefined, blocks + 1]
  }
  if (depth > 0) [reasoning, rest] = [reasoning + rest, '']
  text = blocks > 0 ? (text + rest).trimStart() : rest
  const marks = [...text.matchAll(OUTSIDE)]
  const turn = marks.find(({ groups }) => groups?.next || groups?.turn)
  if (turn?.groups?.next) text = text.slice(0, turn.index)
  for (const { index, groups } of marks.reverse())
    if (groups?.end && text.slice(index + groups.end.length).trim() === '') text = text.slice(0, index)
  if (blocks > 0 && WRAPPED.test(text.trim())) text = text.trim().replace(WRAPPED, '$1').trim()
  if (isGrowing) text = text.replace(GROWING, '')
  return { text: depth > 0 && !isGrowing ? '' : text, reasoning: reasoning.trim() }
}
