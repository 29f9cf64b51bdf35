import { createRequire } from 'node:module'
import type { Context } from 'saxen'

interface XmlProblem {
  readonly message: string
  /** From 1. */
  readonly line: number
}

/** Reason why an XML text is not well-formed; undefined for a text that is. */
export function xmlProblem(text: string): XmlProblem | undefined {
  const open: { readonly name: string; readonly tag: number }[] = []
  let tags = 0
  let problem: XmlProblem | undefined
  const refuse = ({ message }: Error, context: Context) => {
    // The declarations of a DOCTYPE are no content.
    if (message === 'non-whitespace outside of root node') return
    const { name, tag } = open.at(-1) ?? { name: '', tag: 0 }
    const isOpen = tag > 0 && /^(?:closing tag mismatch|unexpected end of file)$/.test(message)
    problem ??= isOpen
      ? { message: `is not well-formed XML: <${name}> is not closed`, line: lineOfTag(text, tag) }
      : { message: `is not well-formed XML: ${message}`, line: context().line + 1 }
  }
  openParser()
    .on('error', refuse)
    .on('warn', refuse)
    .on('openTag', (name, attributes) => {
      // Attributes are checked when they are read.
      attributes()
      open.push({ name, tag: ++tags })
    })
    .on('closeTag', () => void open.pop())
    .parse(text)
  return problem
}

/** Line of a tag by its number, from 1. */
function lineOfTag(text: string, tag: number): number {
  const parser = openParser()
  let tags = 0
  let line = 0
  parser
    .on('openTag', (_name, _attributes, _decode, _isVoid, context) => {
      if (++tags < tag) return
      line = context().line + 1
      parser.stop()
    })
    .parse(text)
  return line
}

function openParser() {
  // Loaded with the first file.
  const { Parser } = createRequire(import.meta.url)('saxen') as typeof import('saxen')
  return new Parser()
}
