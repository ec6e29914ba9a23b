import type { Replies } from '#domain/questionnaire/quiz.ts'
import { is_framed, quiz_id } from './page-context.ts'

/**
 * Continues a run on the pages without scripts, in the place of the form in `container`. `fields` has the replies, the
 * participant and its secret; `query` has the version and the page. The server counts the participant once, also if the
 * queue of submissions sends the answers too.
 */
export const continueWithoutScript = (
  container: HTMLElement,
  fields: Replies,
  query: string,
): void => {
  const form = container.querySelector('form') ?? document.createElement('form')
  const typed = new FormData(form)
  for (const [name, reply] of Object.entries(fields))
    for (const value of typed.has(name) ? [] : [reply].flat())
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  form.method = 'post'
  form.action = `/q/${quiz_id}?${query}${is_framed ? '&embed=1' : ''}`
  container.append(form)
  form.submit()
}
