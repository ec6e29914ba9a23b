import { is_framed, quiz_id } from './page-context.ts'
import type { Submission } from './player-api.ts'
import type { Run } from './run.ts'

/**
 * Continues a run of a version on the pages without scripts, in the place of the form in `container`. `key` proves who
 * the participant is. The server counts the participant once, also if the queue of submissions sends the answers too.
 */
export const continueWithoutScript = (
  container: HTMLElement,
  run: Run,
  version: number,
  key: Pick<Submission, 'participant_uuid'> & Partial<Pick<Submission, 'run_secret'>>,
): void => {
  const form = container.querySelector('form') ?? document.createElement('form')
  const typed = new FormData(form)
  for (const [name, reply] of Object.entries({ ...run.replies, ...key }))
    for (const value of typed.has(name) ? [] : [reply ?? []].flat())
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  form.method = 'post'
  form.action = `/q/${quiz_id}?version=${version}&page=${run.page_index + 1}${is_framed ? '&embed=1' : ''}`
  container.append(form)
  form.submit()
}
