/** Control characters of a config's or a dataset's names never reach the terminal. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
}

/** Cuts in the middle: the strategy in front and the params at the end both tell trials apart. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text
  const front = Math.ceil((width - 1) / 2)
  return `${text.slice(0, front)}…${text.slice(text.length - (width - 1 - front))}`
}

/** Breaks text at spaces into lines of at most `width`; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
