/** The commands with which README begins, without their comments: the quickstart, and the block of `npx touchstone`. */
export function firstCommands(readme: string): string[] {
  const quickstart = /^ {4}npm ci && (npm run quickstart)\b/m.exec(readme)?.[1]
  const [, block] = /```\n((?:npx touchstone .*\n)+)```/.exec(readme) ?? []
  if (!quickstart || !block) throw new Error('README has no longer its first commands')
  return [
    quickstart,
    ...block
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '')),
  ]
}
