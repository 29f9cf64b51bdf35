import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/**
 * `llms.txt` of the site, in the form of https://llmstxt.org: the first paragraph of README.md, and the pages of docs/README.md.
 * The site serves each page as Markdown too, at the address given here.
 */
export function llmsText(): string {
  const [title, about] = readFileSync(resolve(root, 'README.md'), 'utf8').split('\n\n')
  const sections = readFileSync(resolve(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1)
  const lists = sections.flatMap((section) => {
    const items = section.replace(/\n {2}/g, ' ').match(/^- \[[^\]]+\]\([\w/.-]+\.md\): .*$/gm) ?? []
    const pages = items.filter((item) => !item.includes('](..'))
    return pages.length === 0 ? [] : [`## ${section.split('\n', 1)[0]}\n\n${pages.join('\n')}`]
  })
  const skill = 'Recipes for agents are in the package: `node_modules/touchstone/skills/touchstone/SKILL.md`.'
  return `${[title, `> ${about.replaceAll('\n', ' ')}`, skill, ...lists].join('\n\n')}\n`
}
