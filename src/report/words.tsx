import { type ComponentChildren, isValidElement } from 'preact'

export function textOf(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (isValidElement(node)) return textOf(node.props.children)
  return node === null || node === undefined || typeof node === 'boolean' ? '' : String(node)
}

/** Template of a sentence with elements. */
export function say(texts: TemplateStringsArray, ...holes: readonly ComponentChildren[]): ComponentChildren {
  return texts.flatMap((text, at) => (at === 0 ? [text] : [holes[at - 1], text]))
}

/** Items with a separator between each two. */
export function joined(items: readonly ComponentChildren[], separator = ', '): ComponentChildren {
  return items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]))
}

/** The first `max` names, each isolated for its writing direction. */
export function listed(names: readonly ComponentChildren[], max = 6): ComponentChildren {
  const shown = joined(names.slice(0, max).map((name) => <bdi>{name}</bdi>))
  return [shown, names.length > max && `, ${names.length - max} more`]
}

/** Text between backticks becomes code; null without text. */
export function withCode(text: string): ComponentChildren {
  if (text === '') return null
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))
}

export function Term({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <button type="button" class="term" popovertarget={id}>
      {text}
    </button>
  )
}
