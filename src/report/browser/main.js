// @ts-check
import { drawAll, saveChartData, specOf } from './charts.js'
import { meta } from './data.js'
import { startDifferences } from './differences.js'
import { fileName, save } from './dom.js'
import { download } from './downloads.js'
import { startGrid } from './grid.js'
import { startPair } from './pair.js'
import { startQueries } from './query-list.js'
import { saveTable, sortBy, unfold } from './tables.js'

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (!button) return
  const { csvOfTable, csvOfChart, specOfChart, unfold: folded, download: wanted } = button.dataset
  if (csvOfTable) saveTable(csvOfTable)
  else if (csvOfChart) saveChartData(csvOfChart)
  else if (specOfChart)
    save(
      `${fileName(`${meta.experiment}-${specOfChart}`)}.vl.json`,
      JSON.stringify(specOf(specOfChart), null, 2),
      'application/json',
    )
  else if (wanted) download(wanted)
  else if (folded) {
    unfold(folded)
    button.remove()
  } else if (button.classList.contains('sort')) sortBy(button)
})

/** Draws everything, then sets `data-ready` for tests. */
async function start() {
  await drawAll()
  await startGrid()
  startPair()
  const open = await startQueries()
  await startDifferences((query) => {
    open(query)
    document.getElementById('queries')?.scrollIntoView()
  })
  document.documentElement.dataset.ready = 'true'
}

start()
