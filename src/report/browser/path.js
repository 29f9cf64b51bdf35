// @ts-check
import { meta } from './data.js'
import { element } from './dom.js'

/** Names of the stages that a label passed. */
const PASSED = new Map([
  ['not in corpus', 'in corpus'],
  ['not in index', 'in index'],
  ['not in a pool', 'retrieved by a search'],
  ['below depth', 'ranked within the cutoff'],
])

/**
 * Stages that a label passed in a trial, in order, up to the one that lost it.
 * @param {string} lost the stage that lost it
 * @param {readonly string[]} stages the trial's, in order
 */
export function passedStages(lost, stages) {
  const own = stages.filter((stage) => stage !== 'failed' && stage !== 'found')
  return own
    .slice(0, Math.max(0, own.indexOf(lost)))
    .map((stage) => PASSED.get(stage) ?? stage.replace(/^lost by /, ''))
}

/**
 * A label's fate in one trial: its rank, or the path to the stage that lost it.
 * @param {string} name
 * @param {number} rank 0 if it is not within depth
 * @param {string} lost
 * @param {readonly string[]} stages
 */
export function pathItem(name, rank, lost, stages) {
  const passed = passedStages(lost, stages)
  const fate =
    rank > 0
      ? [element('b', {}, `rank ${rank}`)]
      : [
          element('span', { class: 'kept' }, passed.length > 0 ? `${passed.join(' → ')} → ` : ''),
          element('span', { class: 'lost' }, `✗ ${meta.stageNames[lost] || 'lost'}`),
        ]
  return [element('dt', {}, name), element('dd', {}, ...fate)]
}
