/**
 * rapidfuzz's `fuzz.ratio`, 0 to 1: 2 * LCS(a, b) / (|a| + |b|) over UTF-16 code units; 1 for two empty texts (Hyyrö,
 * AWOCA 2004).
 */
export function ratio(a: string, b: string): number {
  if (a === b) return 1
  return (2 * commonLength(a, b)) / (a.length + b.length)
}

/** Similarity of two texts, or 0 if it is below `least`; often the lengths decide that alone. */
export function ratioFrom(least: number, a: string, b: string): number {
  if ((2 * Math.min(a.length, b.length)) / (a.length + b.length) < least) return 0
  const similarity = ratio(a, b)
  return similarity >= least ? similarity : 0
}

function commonLength(a: string, b: string): number {
  let above = new Uint16Array(b.length + 1)
  for (let i = 0; i < a.length; i++) {
    const here = new Uint16Array(b.length + 1)
    for (let j = 0; j < b.length; j++)
      here[j + 1] = a.charCodeAt(i) === b.charCodeAt(j) ? above[j] + 1 : Math.max(above[j + 1], here[j])
    above = here
  }
  return above[b.length]
}
