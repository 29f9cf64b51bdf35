import { say } from '../../report/words.tsx'
import type { ViewPage } from './frame.tsx'

/** `files` are the files of questions, or the reason for having none. */
export function askPage(
  config: string,
  trials: readonly string[],
  files: readonly string[] | string,
): ViewPage {
  const choose = (label: string, place: number) => (
    <label>
      {label}{' '}
      <select name="trial">
        {place === 2 && <option value="">none</option>}
        {trials.map((trial, at) => (
          <option selected={place < 2 && at === place}>{trial}</option>
        ))}
      </select>
    </label>
  )
  return {
    title: 'Ask',
    live: false,
    heading: (
      <>
        <h1>Ask trials a question</h1>
        <p class="subtitle">{config}</p>
      </>
    ),
    main: (
      <section>
        {trials.length < 2 ? (
          <p class="warning">The config has one trial; add another to compare two.</p>
        ) : (
          <form id="ask" class="asking" data-files={typeof files === 'string' ? undefined : files.join(', ')}>
            <label for="question">Question</label>
            <textarea id="question" name="question" rows={2} required autofocus dir="auto" />
            <p class="controls">
              {choose('Trial', 0)} {choose('compared with', 1)} {trials.length > 2 && choose('and', 2)}{' '}
              <label>
                passages <input name="depth" type="number" min={1} max={50} value={5} />
              </label>{' '}
              <button type="submit">
                Ask <kbd>Enter</kbd>
              </button>
            </p>
          </form>
        )}
        {typeof files === 'string' && <p class="empty">Questions cannot be added here: {files}.</p>}
        <p id="state" role="status" />
        <div id="asked" />
        <noscript>
          <p>{say`Asking in the browser needs JavaScript. In the terminal: ${<code>{`touchstone ask ${config} QUESTION --trial A --trial B`}</code>}`}</p>
        </noscript>
      </section>
    ),
  }
}
