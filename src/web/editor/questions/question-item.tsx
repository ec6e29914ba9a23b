import { ImagePlus, Images, Split, Tag } from 'lucide-react'
import { flushSync } from 'react-dom'
import { isChoice, type Question } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { pasteList } from '#web/editor/paste-list.ts'
import { imageAltId, jumpId, optionId } from '#web/editor/publish-targets.ts'
import { useOnceShown } from '#web/editor/use-once-shown.ts'
import { ImageField } from '#web/ui/image-field.tsx'
import { RichTextField } from '#web/ui/rich-text-field.tsx'
import type { Scoring } from './answer-row.tsx'
import { AnswersList } from './answers-list.tsx'
import { asksForMenu } from './asks-for-menu.ts'
import { focusElement } from './focus-after.ts'
import { ItemFrame } from './item-frame.tsx'
import type { ItemPlace } from './item-menu.tsx'
import { QuestionOptions } from './question-options.tsx'
import { fieldId, QUESTION_TYPE_NAMES } from './question-words.ts'
import { ScalePicture } from './scale-picture.tsx'
import type { ItemActions } from './use-item-actions.ts'
import type { ChangeQuestions } from './use-questions.ts'
import { VirtualisedAnswers } from './virtualised-answers.tsx'

/** One question on its page. */
export const QuestionItem = ({
  question,
  number,
  problem,
  place,
  scoring,
  isVirtualised,
  actions,
  change,
}: {
  question: Question
  /** From 1. */
  number: number
  problem: string | undefined
  place: ItemPlace
  scoring: Scoring
  /** Whether the answers have their fields only while the question is in view. */
  isVirtualised: boolean
  actions: ItemActions
  change: ChangeQuestions
}) => {
  const { id, text, type, answers, image_id, image_alt } = question
  const title = `Question ${number}`
  const [hasPicture, askPicture] = useOnceShown(image_id !== null)
  const [hasPictures, askPictures] = useOnceShown(answers.some((answer) => answer.image_id))
  const [leads, askJumps] = useOnceShown(answers.some(({ jump_to }) => jump_to !== null))
  const askWhereTo = (): void => {
    flushSync(askJumps)
    focusElement(jumpId(answers[0]?.id ?? ''))
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
          onSelect: askPicture,
        },
        ...(isChoice({ type })
          ? [
              {
                label: 'Images des réponses',
                icon: <Images aria-hidden="true" />,
                disabled: hasPictures,
                onSelect: askPictures,
              },
              {
                label: 'Aller à…',
                icon: <Split aria-hidden="true" />,
                disabled: leads || answers.length === 0,
                onSelect: askWhereTo,
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
      <RichTextField
        has_marks={false}
        insertable={() => actions.insertable(id)}
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
          if (asksForMenu(event)) actions.addAfter(id, event.currentTarget)
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
          onChange={(picture) => change({ type: 'question_pictured', id, ...picture })}
        />
      )}
      {isChoice({ type }) && (
        <Answers
          question_id={id}
          answers={answers}
          number={number}
          scoring={scoring}
          hasPictures={hasPictures}
          leadsFrom={leads ? place.page_number : undefined}
          change={change}
          actions={actions}
        />
      )}
      {type === 'number' && (
        <p className="text-xs text-ink-2">
          Pour un code postal ou un numéro, prenez « Texte court » : un nombre perd ses zéros.
        </p>
      )}
      {type === 'scale' && <ScalePicture question={question} title={title} change={change} />}
      <QuestionOptions
        question={question}
        title={title}
        hasScores={scoring.hasScores}
        insertable={actions.insertable}
        change={change}
      />
    </ItemFrame>
  )
}
