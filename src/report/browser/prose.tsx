import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { ComponentChildren } from 'preact'
import type { Mark } from './marks.tsx'

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

function childrenOf({ children }: Parents, mark: Mark): ComponentChildren {
  return children.map((child, at) => <Node key={at} node={child} mark={mark} />)
}

function Node({ node, mark }: { readonly node: Nodes; readonly mark: Mark }) {
  switch (node.type) {
    case 'text':
      return <>{mark(node.value)}</>
    case 'emphasis':
      return <em>{childrenOf(node, mark)}</em>
    case 'strong':
      return <strong>{childrenOf(node, mark)}</strong>
    case 'inlineCode':
      return <code>{mark(node.value)}</code>
    case 'break':
      return <br />
    case 'link':
    case 'linkReference':
      return <>{childrenOf(node, mark)}</>
    case 'image':
    case 'imageReference':
      return <>{mark(node.alt ? `[picture: ${node.alt}]` : '[picture]')}</>
    case 'thematicBreak':
      return <hr />
    case 'definition':
      return null
    case 'paragraph':
      return <p dir="auto">{childrenOf(node, mark)}</p>
    case 'heading':
      // A heading would break the page's outline.
      return (
        <p class="heading" dir="auto">
          {childrenOf(node, mark)}
        </p>
      )
    case 'code':
      return (
        <pre>
          <code>{mark(node.value)}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{childrenOf(node, mark)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{childrenOf(node, mark)}</ol>
      ) : (
        <ul>{childrenOf(node, mark)}</ul>
      )
    case 'listItem':
      return <li dir="auto">{childrenOf(node, mark)}</li>
    case 'table':
      return (
        <table>
          <tbody>{childrenOf(node, mark)}</tbody>
        </table>
      )
    case 'tableRow':
      return <tr>{childrenOf(node, mark)}</tr>
    case 'tableCell':
      return <td dir="auto">{childrenOf(node, mark)}</td>
    case 'html':
      return <>{mark(node.value)}</>
    default:
      return null
  }
}
