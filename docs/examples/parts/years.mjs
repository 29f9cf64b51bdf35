export default ({ z }) => ({
  name: 'years',
  summary: 'years, related to the title of the passage',
  params: z.strictObject({}),
  make: () => ({
    extract({ chunks }) {
      const mentions = []
      const links = []
      chunks.forEach(({ title, text }, chunk) => {
        mentions.push({ name: title, chunk, type: 'title' })
        for (const [year] of text.matchAll(/\b(?:1\d|20)\d\d\b/g)) {
          mentions.push({ name: year, chunk, type: 'year' })
          links.push({ source: title, target: year, predicate: 'in', chunk })
        }
      })
      return { mentions, links }
    },
  }),
})
