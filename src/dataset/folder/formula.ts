import { DOMParser } from 'linkedom'

/** A node of a formula, as every parser of XML and HTML gives it. */
interface FormulaNode {
  readonly nodeName: string
  readonly textContent: string | null
  readonly childNodes: ArrayLike<FormulaNode>
  getAttribute?(name: string): string | null
}

/** One line of text for a formula in MathML or in Office's own form (OMML): `E=m^2`, `(a+b)/2`. */
export function formulaText(node: FormulaNode): string {
  const name = nameOf(node)
  if (name === '#text') return node.textContent?.trim() ? node.textContent.replace(/\s+/g, ' ') : ''
  // Signs of Office's sums and brackets.
  if (/^(?:beg|end)?chr$/.test(name)) return node.getAttribute?.('m:val') ?? ''
  const children = Array.from(node.childNodes).filter(
    (child) => !/^(?:ctrl|r)pr$|^annotation/.test(nameOf(child)),
  )
  const isProperty = (child: FormulaNode) => nameOf(child).endsWith('pr')
  const sign = children.filter(isProperty).map(formulaText).join('')
  const parts = children.filter((child) => !isProperty(child)).map(formulaText)
  const [first = '', second = '', third = ''] = parts
  const [below, above] = [first && `_${grouped(first)}`, second && `^${grouped(second)}`]
  if (/^[ms]sup$/.test(name)) return `${first}${above}`
  if (/^[ms]sub$/.test(name)) return `${first}_${grouped(second)}`
  if (/^[ms]subsup$/.test(name)) return `${first}_${grouped(second)}^${grouped(third)}`
  if (/^f$|^mfrac$/.test(name)) return `${grouped(first)}/${grouped(second)}`
  if (name === 'rad') return `${first}√${grouped(second)}`
  if (name === 'msqrt') return `√${grouped(parts.join(''))}`
  if (name === 'nary') return `${sign || '∫'}${below}${above} ${third}`
  if (name === 'd') return `${sign[0] ?? '('}${parts.join(', ')}${sign[1] ?? ')'}`
  return parts.join(/^(?:m|mr|mtr|mtable|func|eqarr)$/.test(name) ? ' ' : '')
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
