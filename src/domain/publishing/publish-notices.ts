import { contrastText, findLowContrasts } from '#domain/questionnaire/look/contrasts.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { PublishError } from './publish-error.ts'
import { findUnreachablePages } from './reachability.ts'

/**
 * Returns the notices before publishing, which do not prevent it: pages that no run reaches, and colours that visitors
 * can hardly read.
 */
export const publishNotices = (
  draft: Pick<Draft, 'quiz' | 'questions' | 'text_blocks'>,
): PublishError[] => [...pageNotices(draft), ...contrastNotices(draft)]

const pageNotices = (content: Pick<Draft, 'questions' | 'text_blocks'>): PublishError[] => {
  const pages = new Map(groupIntoPages(content).map((page) => [page.number, page]))
  return findUnreachablePages(content).map((number) => {
    const first = pages.get(number)?.items[0]
    const about =
      first?.kind === 'question'
        ? { question_id: first.question.id }
        : { text_block_id: first?.text_block.id }
    return { message: `La page ${number} n’est jamais atteinte`, ...about }
  })
}

const contrastNotices = ({ quiz }: Pick<Draft, 'quiz'>): PublishError[] =>
  findLowContrasts(quiz).map(({ label, field, ratio, needed, is_default }) => {
    const origin = is_default ? ' avec les couleurs par défaut' : ''
    const message = `Contraste ${label} peu lisible${origin} : ${contrastText(ratio)}, au lieu de ${contrastText(needed)} au moins`
    return { message, field }
  })
