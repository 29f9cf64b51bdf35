import type { LabelsFolder } from '../../labels/folder.ts'
import type { LabelsStatus } from '../../labels/status.ts'
import { agreementInWords, decisionInWords } from '../../labels/words.ts'
import { type Html, html } from '../../report/html.ts'
import { plural, quantity } from '../../report/numbers.ts'
import type { ViewPage } from './frame.ts'

/** Tasks of a labeller by their name in an address. */
const TASKS = { review: 'Review questions', label: 'Label passages' } as const
type Task = keyof typeof TASKS

/** First page of a labels folder: who labelled, how far people agree, how many more labels the decision needs. */
export function labelsPage(status: LabelsStatus): ViewPage {
  const { labellers, pool, review } = status
  const people = labellers.filter(({ kind }) => kind === 'person')
  return {
    title: 'Labels',
    live: false,
    heading: html`<h1>Labels</h1>`,
    main: html`<section>
<form class="controls" action="/labels/work" method="get">
<label for="as">Your name</label> <input id="as" name="as" required maxlength="40" autocomplete="off">
${tasksOf(status).map((task) => html`<button name="do" value="${task}">${TASKS[task]}</button> `)}
</form>
${people.length > 0 ? html`<p>Continue as ${people.map(({ name }) => html`<a href="${workAddress(name, tasksOf(status)[0])}"><bdi>${name}</bdi></a> `)}</p>` : null}
</section>
${review ? html`<section><h2>Questions</h2><p>${quantity(review.accepted)} of ${plural(review.questions, 'question')} accepted, ${quantity(review.rejected)} rejected, ${quantity(review.unreviewed)} not reviewed.</p></section>` : null}
${pool ? poolSection(status) : null}
<section><h2>Labellers</h2>
${
  labellers.length === 0
    ? html`<p>Nobody has labelled yet.</p>`
    : html`<ul class="findings">${labellers.map((one) => html`<li><bdi>${one.name}</bdi>${one.kind === 'model' ? ' (model)' : null}: ${plural(one.labels, 'label')}, ${quantity(one.skipped)} skipped, ${plural(one.reviews, 'review')}${one.outside > 0 ? `, ${quantity(one.outside)} of passages outside the pool` : null}${one.torn > 0 ? `, ${quantity(one.torn)} cut off by a crash` : null}</li>`)}</ul>`
}
</section>`,
  }
}

function tasksOf({ pool, review }: { readonly pool: unknown; readonly review: unknown }): Task[] {
  return [...(review ? (['review'] as const) : []), ...(pool ? (['label'] as const) : [])]
}

function poolSection({ pool }: LabelsStatus): Html | null {
  if (!pool) return null
  const { pairs, all, models } = pool.agreement
  return html`<section><h2>Decision</h2>
<p>First ${pool.k} of ${pool.trials.map((name, at) => html`${at > 0 ? ', ' : ''}<bdi>${name}</bdi>`)} in <bdi>${pool.experiment}</bdi>.</p>
<ul class="findings">${decisionInWords(pool.decision, pool.trials, pool.measure).map((line) => html`<li>${line}</li>`)}</ul>
${pool.conflicts > 0 ? html`<p>People disagree on ${plural(pool.conflicts, 'passage')}.</p>` : null}
</section>
${
  pairs.length + models.length === 0
    ? null
    : html`<section><h2>Agreement</h2><ul class="findings">
${pairs.map(({ one, other, relevance, grades }) => html`<li><bdi>${one}</bdi> and <bdi>${other}</bdi>: Cohen’s kappa on relevance ${agreementInWords(relevance)}; on grades ${agreementInWords(grades)}</li>`)}
${all && pairs.length > 1 ? html`<li>All people: Fleiss’ kappa on relevance ${agreementInWords(all.relevance)}</li>` : null}
${models.map(({ model, relevance }) => html`<li>The model <bdi>${model}</bdi> and people: Cohen’s kappa on relevance ${agreementInWords(relevance)}</li>`)}
</ul></section>`
}`
}

function workAddress(as: string, task: string): string {
  return `/labels/work?${new URLSearchParams({ as, do: task, known: '1' }).toString()}`
}

/** Question to somebody who enters a name that has labels. */
export function takenPage(as: string, task: string, acts: number, last: string): ViewPage {
  return {
    title: as,
    live: false,
    heading: html`<h1><bdi>${as}</bdi> has labels here</h1>`,
    main: html`<section><p class="lead">${plural(acts, 'act')}, the last on <time>${last}</time>. Continue only if you are this person: two people need two names.</p>
<p><a class="button" href="${workAddress(as, task)}">Continue as <bdi>${as}</bdi></a> · <a href="/labels">Choose another name</a></p></section>`,
  }
}

/** Page of one labeller; its script draws the task. */
export function workPage(as: string, task: string, { pool, review }: LabelsFolder): ViewPage {
  const tasks = tasksOf({ pool, review })
  const now = tasks.find((one) => one === task) ?? tasks[0]
  return {
    title: `${TASKS[now]}: ${as}`,
    live: false,
    heading: html`<h1>${TASKS[now]}</h1><p class="kind"><bdi>${as}</bdi> · ${tasks.filter((one) => one !== now).map((one) => html`<a href="${workAddress(as, one)}">${TASKS[one]}</a> · `)}<a href="/labels">All labels</a></p>`,
    main: html`<div id="work" data-as="${as}" data-do="${now}"><noscript><p>Labelling needs JavaScript.</p></noscript></div>`,
  }
}
