import { createRequire } from 'node:module'
import type { Context } from 'saxen'

interface XmlProblem {
  readonly message: string
  /** From 1. */
  readonly line: number
}

/** Reason why an XML text is not well-formed, or undefined. `stopAt`: number of the tag to give the line of. */
export function xmlProblem(text: string, stopAt?: number): XmlProblem | undefined {
  // Loaded with the first file.
  const { Parser } = createRequire(import.meta.url)('saxen') as typeof import('saxen')
  const open: { readonly name: string; readonly tag: number }[] = []
  let tags = 0
  let problem: XmlProblem | undefined
  const refuse = ({ message }: Error, context: Context) => {
    // The declarations of a DOCTYPE are no content.
    if (problem || message === 'non-whitespace outside of root node') return
    const last = open.at(-1)
    problem =
      last && /^(?:closing tag mismatch|unexpected end of file)$/.test(message)
        ? xmlProblem(text, last.tag)
        : { message: `is not well-formed XML: ${message}`, line: context().line + 1 }
  }
  new Parser()
    .on('error', refuse)
    .on('warn', refuse)
    .on('openTag', (name, attributes, ...more) => {
      attributes()
      open.push({ name, tag: ++tags })
      if (tags === stopAt)
        problem = {
          message: `is not well-formed XML: <${name}> is not closed`,
          line: (more[2] as Context)().line + 1,
        }
    })
    .on('closeTag', () => void open.pop())
    .parse(text)
  return problem
}
