export default ({ z }) => ({
  name: 'letters',
  summary: 'three letters in a row, counted in buckets',
  params: z.strictObject({ dims: z.int().min(1).default(256).describe('how many buckets') }),
  make: ({ dims }) => ({
    embed: (texts) =>
      texts.map((text) => {
        const vector = new Float32Array(dims)
        for (let i = 0; i + 3 <= text.length; i++) {
          let hash = 0
          for (const letter of text.slice(i, i + 3).toLowerCase())
            hash = (31 * hash + letter.codePointAt(0)) >>> 0
          vector[hash % dims]++
        }
        return vector
      }),
  }),
})
