// @ts-check
import { saveTable, sortBy, unfold } from './tables.js'

/** The script of a page that has tables and no pictures. */
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (!button) return
  const { csvOfTable, unfold: folded } = button.dataset
  if (csvOfTable) saveTable(csvOfTable)
  else if (folded) {
    unfold(folded)
    button.remove()
  } else if (button.classList.contains('sort')) sortBy(button)
})
document.documentElement.dataset.ready = 'true'
