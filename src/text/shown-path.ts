import { isAbsolute, relative } from 'node:path'

export function shownPath(folder: string, path: string): string {
  const near = relative(folder, path)
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near
}

export function shellWord(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
