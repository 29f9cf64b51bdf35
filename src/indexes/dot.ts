/** The functions of dot.wat and quantize.wat; every argument is an address or a count. */
export interface DotKernel {
  quantize(
    rows: number,
    count: number,
    width: number,
    pairs: number,
    scales: number,
    sizes: number,
    errors: number,
  ): void
  scan(pairs: number, count: number, width: number, query: number, out: number): void
  scan4(pairs: number, count: number, width: number, queries: number, out: number): void
  peaks(shares: number, scores: number, groups: number, out: number): void
  dots(rows: number, count: number, width: number, queries: number, first: number, out: number): void
  listed(rows: number, list: number, count: number, width: number, query: number, out: number): void
}
