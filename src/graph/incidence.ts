/**
 * Who stands where: the members of row r are `members[offsets[r]]` to `members[offsets[r + 1] - 1]`, ascending and
 * distinct, with how often each occurs there. Used for entity -> chunk rows, chunk row -> entities and the like.
 */
export interface Incidence {
  readonly offsets: Uint32Array
  readonly members: Uint32Array
  /** How often, at least 1. */
  readonly counts: Uint32Array
}

/** Builds an incidence of `rows` rows; equal pairs add up their counts (1 where absent). */
export function buildIncidence(
  rows: number,
  pairs: {
    readonly rows: ArrayLike<number>
    readonly members: ArrayLike<number>
    readonly counts?: ArrayLike<number>
  },
  memberRange: number,
): Incidence {
  const total = pairs.rows.length
  const byMember = order(pairs.members, memberRange, null)
  const sorted = order(pairs.rows, rows, byMember)
  const offsets = new Uint32Array(rows + 1)
  const members = new Uint32Array(total)
  const counts = new Uint32Array(total)
  let write = 0
  let row = 0
  for (let i = 0; i < total; i++) {
    const pair = sorted[i]
    while (row < pairs.rows[pair]) offsets[++row] = write
    const count = pairs.counts ? pairs.counts[pair] : 1
    if (write > offsets[row] && members[write - 1] === pairs.members[pair]) counts[write - 1] += count
    else {
      members[write] = pairs.members[pair]
      counts[write++] = count
    }
  }
  while (row < rows) offsets[++row] = write
  return { offsets, members: members.slice(0, write), counts: counts.slice(0, write) }
}

/** The same pairs seen from the members: member -> rows. */
export function transpose({ offsets, members, counts }: Incidence, memberRange: number): Incidence {
  const rows = offsets.length - 1
  const turned = new Uint32Array(memberRange + 1)
  for (let i = 0; i < members.length; i++) turned[members[i] + 1]++
  for (let m = 0; m < memberRange; m++) turned[m + 1] += turned[m]
  const place = turned.slice(0, memberRange)
  const into = new Uint32Array(members.length)
  const times = new Uint32Array(members.length)
  for (let row = 0; row < rows; row++)
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      into[place[members[i]]] = row
      times[place[members[i]]++] = counts[i]
    }
  return { offsets: turned, members: into, counts: times }
}

/** The members of one row. */
export function membersOf({ offsets, members }: Incidence, row: number): Uint32Array {
  return members.subarray(offsets[row], offsets[row + 1])
}

/** A stable counting sort of places by value, over `places` (all where null). */
function order(values: ArrayLike<number>, range: number, places: Uint32Array | null): Uint32Array {
  const starts = new Uint32Array(range + 1)
  for (let i = 0; i < values.length; i++) starts[values[i] + 1]++
  for (let v = 0; v < range; v++) starts[v + 1] += starts[v]
  const sorted = new Uint32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const place = places ? places[i] : i
    sorted[starts[values[place]]++] = place
  }
  return sorted
}
