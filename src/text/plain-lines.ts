/**
 * A text whose lines end with a line feed, where old programs for the Mac write a carriage return alone, and without the byte order
 * marks of files that were joined.
 */
export function plainLines(text: string): string {
  return (text.includes('\n') ? text : text.replaceAll('\r', '\n')).replaceAll('\n\ufeff', '\n')
}
