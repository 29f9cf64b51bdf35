import { isAbsolute, relative } from 'node:path'

/** A path as a person at `folder` would write it: relative below it, absolute elsewhere. */
export function shownPath(folder: string, path: string): string {
  const near = relative(folder, path)
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
