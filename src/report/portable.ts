import { relative, sep } from 'node:path'
import { parseDocument, visit } from 'yaml'
import type { Results } from '../results/read.ts'

/**
 * Makes absolute paths in config and messages relative to the experiment's folder. A path begins with the same top
 * folder, such as /home; the /home/ within an address stays.
 */
export function portable(results: Results): Results {
  const { path, summary, answers } = results
  const near = (found: string) => relative(path, found) || '.'
  const top = path.split(sep).slice(0, 2).join(sep) + sep
  const config = parseDocument(results.config)
  visit(config, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.startsWith(top)) node.value = near(node.value)
    },
  })
  // No name precedes a path. In JSON, the n of an escaped line break is no name.
  const begin = new RegExp(
    `(?<=^|file://|\\\\[bfnrt]|[^\\p{L}\\p{N}_.~%/\\]}-])${top.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`,
    'u',
  )
  const cut = (text: string) =>
    text
      .split(begin)
      .map((part, place) => {
        const [rest] = (place > 0 && /^[^\s"'`:,;()<>\\]*/.exec(part)) || ['']
        return place > 0 ? near(top + rest) + part.slice(rest.length) : part
      })
      .join('')
  return {
    ...results,
    config: cut(config.errors.length > 0 ? results.config : String(config)),
    summary: JSON.parse(cut(JSON.stringify(summary))),
    answers: answers && { ...answers, failure: answers.failure.map(cut) },
  }
}
