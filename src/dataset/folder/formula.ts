import { DOMParser } from 'linkedom'

/** A node of a formula, as every parser of XML and HTML gives it. */
interface FormulaNode {
  readonly nodeName: string
  readonly textContent: string | null
  readonly childNodes: ArrayLike<FormulaNode>
  getAttribute?(name: string): string | null
}

/** Text of a form of MathML, or of Office's (OMML), from the texts of its parts; of others the parts follow one another. */
const FORMS: Readonly<Record<string, (parts: readonly string[], signs: string) => string>> = {
  xsup: ([base, up]) => `${base}^${up}`,
  xsub: ([base, down]) => `${base}_${down}`,
  xsubsup: ([base, down, up]) => `${base}_${down}^${up}`,
  f: ([above, below]) => `${above}/${below}`,
  msqrt: (parts) => `√${grouped(parts.join(''))}`,
  rad: ([degree, base]) => `${degree}√${base}`,
  nary: ([down, up, base], signs) => `${signs || '∫'}${down && `_${down}`}${up && `^${up}`} ${base}`,
  d: (parts, signs) => `${signs[0] ?? '('}${parts.join(', ')}${signs[1] ?? ')'}`,
}

/** One line of text for a formula: `E=m^2`, `(a+b)/2`. */
export function formulaText(node: FormulaNode): string {
  const name = nameOf(node)
  if (name === '#text') return node.textContent?.trim() ? node.textContent.replace(/\s+/g, ' ') : ''
  const children = Array.from(node.childNodes).filter((child) => !/^annotation/.test(nameOf(child)))
  const signs = children
    .filter((child) => nameOf(child).endsWith('pr'))
    .flatMap(({ childNodes }) => Array.from(childNodes))
    .map((property) => (/chr$/.test(nameOf(property)) ? (property.getAttribute?.('m:val') ?? '') : ''))
  const parts = children.filter((child) => !nameOf(child).endsWith('pr')).map(formulaText)
  const form = FORMS[name.replace(/^[ms](?=su[bp])/, 'x').replace('mfrac', 'f')]
  if (!form) return parts.join('')
  return form(/^(?:d|msqrt)$/.test(name) ? parts : parts.map(grouped), signs.join(''))
}

/** Office XML with each formula as a run of text in its place. */
export function withFormulas(xml: string, run: (text: string) => string): string {
  return xml
    .replace(/<\/?m:oMathPara\b[^<>]*>/g, '')
    .replace(/<m:oMath\b[^<>]*>[\s\S]*?<\/m:oMath>/g, (formula) => {
      const { documentElement } = new DOMParser().parseFromString(formula, 'text/xml')
      const text = formulaText(documentElement as unknown as FormulaNode)
      return run(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    })
}

const nameOf = ({ nodeName }: FormulaNode) => nodeName.replace(/^\w+:/, '').toLowerCase()

const grouped = (text: string) => (/^(?:[\p{L}\p{N}.]*|.)$/u.test(text) ? text : `(${text})`)
