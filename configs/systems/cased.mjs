/**
 * Hashed words and trigrams, as they are written: `Covering` and `covering` share trigrams and no word. It stands in for a
 * trained model that reads case, which is what makes `normalize-keywords` matter.
 */
const DIMS = 512

export default ({ z }) => ({
  name: 'cased',
  summary: 'hashed words and trigrams of letters, case kept',
  params: z.strictObject({}),
  make: () => ({ embed: (texts) => texts.map(vectorOf) }),
})

function vectorOf(text) {
  const vector = new Float32Array(DIMS)
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    vector[hash(word)] += 2
    const padded = ` ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) vector[hash(padded.slice(at, at + 3))] += 1
  }
  return vector
}

/** FNV-1a. */
function hash(text) {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0) % DIMS
}
