import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'

/** A copy of docs/, made by the build script; the sidebar is read off its index, docs/README.md. */
const docs = resolve(import.meta.dirname, '../pages')

/** Groups of the index: a heading, and the pages that its list links to, each once. */
function sidebar() {
  const index = readFileSync(resolve(docs, 'README.md'), 'utf8')
  const seen = new Set<string>()
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text] = section.split('\n', 1)
      const links = [...section.matchAll(/\[([^\]]+)\]\(([\w/.-]+\.md)\)/g)]
      const items = links.flatMap(([, name, path]) => {
        if (path.startsWith('..') || seen.has(path)) return []
        seen.add(path)
        return [{ text: titleOf(path) ?? name, link: `/${path.replace(/(README)?\.md$/, '')}` }]
      })
      return { text, items, collapsed: false }
    })
}

/** Pages that `npm run docs` makes of the code. */
function reference() {
  const files = readdirSync(resolve(docs, 'reference')).filter((file) => file.endsWith('.md'))
  if (files.length === 0) throw new Error('docs/reference has no pages: run `npm run docs` first')
  const items = files.map((file) => ({
    text: titleOf(`reference/${file}`) ?? file,
    link: `/reference/${file.replace('.md', '')}`,
  }))
  return { text: 'Generated reference', items, collapsed: false }
}

function titleOf(path: string): string | undefined {
  return readFileSync(resolve(docs, path), 'utf8')
    .match(/^# (.+)$/m)?.[1]
    .replaceAll('`', '')
}

/** Blocks that a comment ends: paragraphs, and tables, whose rows end as quotes do. */
const ENDS = { alt: ['paragraph', 'blockquote'] }

export default defineConfig({
  title: 'Touchstone',
  description: 'Experiments and benchmarks for retrieval in RAG',
  srcDir: docs,
  outDir: resolve(import.meta.dirname, '../dist'),
  cacheDir: resolve(import.meta.dirname, '../cache'),
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  cleanUrls: false,
  lastUpdated: false,
  // Agents read llms.txt, and each page as Markdown.
  buildEnd({ outDir }) {
    cpSync(docs, outDir, { recursive: true, filter: (path) => !/\.\w+$/.test(path) || path.endsWith('.md') })
    cpSync(resolve(docs, 'reference/llms.txt'), resolve(outDir, 'llms.txt'))
  },
  // Links that leave docs/ lead into the repository, which the site does not hold.
  ignoreDeadLinks: [/^(\.\/)?(\.\.\/)+(?!.*docs\/)/, /\.(yaml|json|mjs|ts|py|jsonl|ipynb|sh)$/, /localhost/],
  vite: { publicDir: false },
  // Angle brackets and double braces in the pages are text, not Vue.
  markdown: {
    html: false,
    config: (md) => {
      const plain = md.renderer.rules.text
      md.renderer.rules.text = (...args) =>
        (plain ? plain(...args) : args[0][args[1]].content).replaceAll('{{', '&#123;&#123;')
      // Comments mark the tables that scripts write; they are not shown.
      md.block.ruler.before(
        'paragraph',
        'comment',
        (state, start, _end, isSilent) => {
          const line = state.src.slice(state.bMarks[start] + state.tShift[start], state.eMarks[start])
          if (!/^<!--.*-->$/.test(line)) return false
          if (!isSilent) state.line = start + 1
          return true
        },
        ENDS,
      )
      // Indented code scrolls in its box, as fenced code does, instead of widening the page.
      md.renderer.rules.code_block = (...args) => md.renderer.rules.fence?.(...args) ?? ''
    },
  },
  themeConfig: {
    sidebar: [...sidebar(), reference()],
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
})
