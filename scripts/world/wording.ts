import type { Random } from './random.ts'

/**
 * Turns a template into a sentence: `[a|b|c]` becomes one of its choices (they nest), `{name}` a slot's value, and a
 * slot's first letter is raised where it begins a sentence. A slot without a value is a bug, not an empty string.
 */
export function word(random: Random, template: string, slots: Readonly<Record<string, string>>): string {
  const chosen = choose(random, template)
  const filled = chosen.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (slots[name] === undefined) throw new Error(`no value for {${name}} in: ${template}`)
    return slots[name]
  })
  return raise(filled.replace(/\s+/g, ' ').trim())
}

function choose(random: Random, template: string): string {
  let text = template
  for (;;) {
    const inner = /\[([^[\]]*)\]/.exec(text)
    if (!inner) return text
    const chosen = random.pick(inner[1].split('|'))
    text = text.slice(0, inner.index) + chosen + text.slice(inner.index + inner[0].length)
  }
}

function raise(text: string): string {
  return text.replace(/(^|[.!?:]["”]? )([a-z])/g, (whole, before: string, letter: string) =>
    before.startsWith(':') ? whole : before + letter.toUpperCase(),
  )
}
