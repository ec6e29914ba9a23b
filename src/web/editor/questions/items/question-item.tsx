import { ImagePlus, Images, Split, Tag } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { QUESTION_TYPE_NAMES } from '#domain/questionnaire/question-type-names.ts'
import { isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import { fieldId, imageAltId, jumpId, optionId } from '#web/editor/fields/field-ids.ts'
import { focusElement, focusOnceRendered } from '#web/editor/fields/focus.ts'
import { pasteList, useStickyVisibility } from '#web/editor/fields/list-editing.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import { AnswersList } from '#web/editor/questions/answers/answers-list.tsx'
import { VirtualisedAnswers } from '#web/editor/questions/answers/virtualised-answers.tsx'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { handleAddMenuKey, type ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { ImageField } from '#web/ui/images/image-field.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { ItemFrame, type ItemPlace } from './item-frame.tsx'
import { QuestionOptions } from './question-options.tsx'

const ScaleFields = lazyPart(
  () => import('./scale-fields.tsx'),
  'Les champs de l’échelle n’ont pas pu être chargés.',
)

/** Shows one question of a page. */
export const QuestionItem = ({
  question,
  number,
  problem,
  place,
  answerFields,
  isVirtualised,
  note,
  actions,
  change,
}: {
  question: Question
  /** Number from 1. */
  number: number
  problem: string | undefined
  place: ItemPlace
  answerFields: AnswerFields
  /** True if answers are rendered as fields only while the question is in view. */
  isVirtualised: boolean
  /** Note above the text, such as the reason why the question does not continue a grid. */
  note?: ReactNode
  actions: ItemActions
  change: ChangeQuestions
}) => {
  const { id, text, type, answers, image_id, image_alt } = question
  const title = `Question ${number}`
  const [hasPicture, showPicture] = useStickyVisibility(image_id !== null)
  const [hasPictures, showPictures] = useStickyVisibility(answers.some((answer) => answer.image_id))
  const [hasJumps, showJumps] = useStickyVisibility(answers.some(({ jump_to }) => jump_to !== null))
  const openJumps = (): void => {
    showJumps()
    focusOnceRendered([jumpId(answers[0]?.id ?? '')])
  }
  const Answers = isVirtualised ? VirtualisedAnswers : AnswersList
  return (
    <ItemFrame
      id={id}
      place={place}
      title={title}
      kind={QUESTION_TYPE_NAMES[type]}
      problem={problem}
      more={[
        {
          label: 'Ajouter une image',
          icon: <ImagePlus aria-hidden="true" />,
          disabled: image_id !== null,
          onSelect: showPicture,
        },
        ...(isChoice({ type })
          ? [
              {
                label: 'Images des réponses',
                icon: <Images aria-hidden="true" />,
                disabled: hasPictures,
                onSelect: showPictures,
              },
              {
                label: 'Aller à…',
                icon: <Split aria-hidden="true" />,
                disabled: hasJumps || answers.length === 0,
                onSelect: openJumps,
              },
            ]
          : []),
        {
          label: 'Nom court…',
          icon: <Tag aria-hidden="true" />,
          onSelect: () => focusElement(optionId(id, 'label')),
        },
      ]}
      actions={actions}
    >
      {note}
      <RichTextField
        has_marks={false}
        item_id={id}
        id={fieldId(id)}
        label={title}
        hideLabel
        placeholder="Texte de la question"
        rows={1}
        className="font-medium"
        value={text}
        maxLength={LIMITS.question_text}
        onChange={(event) =>
          change({ type: 'question_written', id, text: event.currentTarget.value })
        }
        onPaste={(event) => pasteList(event)}
        onKeyDown={(event) => {
          if (handleAddMenuKey(event)) actions.addAfter(id, event.currentTarget)
          if (event.key !== 'Enter') return
          event.preventDefault()
          const [first] = answers
          if (first) focusElement(fieldId(first.id))
        }}
      />
      {hasPicture && (
        <ImageField
          label={`Image – ${title}`}
          image_id={image_id}
          image_alt={image_alt}
          alt_id={imageAltId(id)}
          takes_focus={!image_id}
          onChange={(picture) => change({ type: 'question_image_set', id, ...picture })}
        />
      )}
      {isChoice({ type }) && (
        <Answers
          question_id={id}
          answers={answers}
          number={number}
          answerFields={answerFields}
          hasPictures={hasPictures}
          jumpFieldPage={hasJumps ? place.page_number : undefined}
          change={change}
          actions={actions}
        />
      )}
      {type === 'number' && (
        <p className="text-xs text-ink-2">
          Pour un code postal ou un numéro, prenez « Texte court » : un nombre perd ses zéros.
        </p>
      )}
      {type === 'scale' && (
        <Suspense fallback={<div className="h-32" />}>
          <ScaleFields
            question={question}
            title={title}
            change={change}
            announce={actions.announce}
          />
        </Suspense>
      )}
      <QuestionOptions
        question={question}
        title={title}
        hasScores={answerFields.hasScores}
        change={change}
      />
    </ItemFrame>
  )
}
