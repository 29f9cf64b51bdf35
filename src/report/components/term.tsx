/** A word that opens a definition. */
export function Term({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <button type="button" class="term" popovertarget={id}>
      {text}
    </button>
  )
}
