import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { type ComponentChildren, h } from 'preact'
import type { Mark } from '../marks.tsx'

/** Markdown's characters and line beginnings; other texts are only cut into paragraphs. */
const MARKUP = /[*_`|\\]|\]\(|^\s{0,3}(#{1,6}\s|>|[-+]\s|\d{1,9}[.)]\s|={3,}|-{3,})/m

/** Untrusted Markdown. Links, images and HTML stay text. */
export function Prose({ text, mark }: { readonly text: string; readonly mark: Mark }) {
  if (!MARKUP.test(text))
    return (
      <>
        {text.split(/\n\s*\n/).map((paragraph, at) => (
          <p key={at} dir="auto">
            {mark(paragraph)}
          </p>
        ))}
      </>
    )
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  return <>{childrenOf(tree, mark)}</>
}

/** Elements of nodes that only have children; the children of others, as links, stay alone. */
const TAGS: Readonly<Record<string, string>> = {
  emphasis: 'em',
  strong: 'strong',
  paragraph: 'p',
  blockquote: 'blockquote',
  listItem: 'li',
  tableRow: 'tr',
  tableCell: 'td',
}

function childrenOf({ children }: Parents, mark: Mark): ComponentChildren {
  return children.map((child, at) => <Node key={at} node={child} mark={mark} />)
}

function Node({ node, mark }: { readonly node: Nodes; readonly mark: Mark }) {
  switch (node.type) {
    case 'text':
    case 'html':
      return <>{mark(node.value)}</>
    case 'inlineCode':
      return <code>{mark(node.value)}</code>
    case 'code':
      return (
        <pre>
          <code>{mark(node.value)}</code>
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'image':
    case 'imageReference':
      return <>{mark(node.alt ? `[picture: ${node.alt}]` : '[picture]')}</>
    case 'heading':
      // A heading would break the page's outline.
      return (
        <p class="heading" dir="auto">
          {childrenOf(node, mark)}
        </p>
      )
    case 'list':
      return h(node.ordered ? 'ol' : 'ul', { start: node.start ?? undefined }, childrenOf(node, mark))
    case 'table':
      return (
        <table>
          <tbody>{childrenOf(node, mark)}</tbody>
        </table>
      )
    default:
      if (!('children' in node)) return null
      if (!(node.type in TAGS)) return <>{childrenOf(node, mark)}</>
      return h(TAGS[node.type], { dir: 'auto' }, childrenOf(node, mark))
  }
}
