import { CornerDownRight } from 'lucide-react'
import { useContext } from 'react'
import { type Answer, JUMP_TO_END, JUMP_TO_NOWHERE } from '#domain/questionnaire/quiz.ts'
import { jumpId } from '#web/editor/fields/field-ids.ts'
import { PageExcerptsContext } from '#web/editor/questions/draft/page-jumps.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Select } from '#web/ui/form/select.tsx'

const NEXT = 'next'

/**
 * Lets the creator choose where an answer leads: the next page, a later page or the end. Only later pages are
 * offered, so that every run ends.
 */
const JumpField = ({
  answer: { id, question_id, jump_to },
  name,
  page_number,
  change,
}: {
  answer: Answer
  /** Name of the answer. */
  name: string
  /** Page of the answer's question. */
  page_number: number
  change: ChangeQuestions
}) => {
  const pages = useContext(PageExcerptsContext).filter(({ number }) => number > page_number)
  const isWrong =
    jump_to !== null && jump_to !== JUMP_TO_END && !pages.some(({ number }) => number === jump_to)
  return (
    <div className="flex items-start gap-2 text-ink-3">
      <span aria-hidden="true" className="flex h-10 shrink-0 items-center gap-1 text-xs">
        <CornerDownRight className="size-4" />
        <span className="max-sm:hidden">Aller à</span>
      </span>
      <div className="max-w-80 min-w-0 flex-1">
        <Select
          id={jumpId(id)}
          label={`Aller à – ${name}`}
          hideLabel
          value={String(jump_to ?? NEXT)}
          error={isWrong ? errorOf(jump_to) : undefined}
          options={[
            ...(isWrong ? [{ value: String(jump_to), label: goneWords(jump_to) }] : []),
            { value: NEXT, label: 'Page suivante' },
            ...pages.map(({ number, words }) => ({
              value: String(number),
              label: words ? `Page ${number} – ${words}` : `Page ${number}`,
            })),
            { value: String(JUMP_TO_END), label: 'Fin du questionnaire' },
          ]}
          onChange={(value) =>
            change({
              type: 'answer_jump_set',
              question_id,
              answer_id: id,
              jump_to: value === NEXT ? null : Number(value),
            })
          }
        />
      </div>
    </div>
  )
}

export default JumpField

const goneWords = (jump_to: number): string =>
  jump_to === JUMP_TO_NOWHERE ? 'Page supprimée' : `Page ${jump_to}`

const errorOf = (jump_to: number): string =>
  jump_to === JUMP_TO_NOWHERE
    ? 'Cette page a été supprimée : choisissez-en une autre.'
    : 'Cette page ne vient pas après : choisissez-en une autre.'
