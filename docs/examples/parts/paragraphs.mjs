export default ({ z }) => ({
  name: 'paragraphs',
  summary: 'one chunk a paragraph',
  params: z.strictObject({}),
  make: () => ({
    split: ({ text }) =>
      Array.from(text.matchAll(/[^\n]+(?:\n[^\n]+)*/g), ({ index, 0: paragraph }) => ({
        start: index,
        end: index + paragraph.length,
      })),
  }),
})
