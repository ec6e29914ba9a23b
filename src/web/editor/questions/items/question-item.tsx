import { ImagePlus, Images, Split, Tag } from 'lucide-react'
import { flushSync } from 'react-dom'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { fieldId, imageAltId, jumpId, optionId } from '#web/editor/fields/field-ids.ts'
import { OPTION_LABELS, QUESTION_TYPE_NAMES } from '#web/editor/fields/field-labels.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { pasteList, useStickyVisibility } from '#web/editor/fields/list-editing.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import { AnswersList } from '#web/editor/questions/answers/answers-list.tsx'
import { VirtualisedAnswers } from '#web/editor/questions/answers/virtualised-answers.tsx'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { handleAddMenuKey, type ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import { TextField } from '#web/ui/form/text-field.tsx'
import { ImageField } from '#web/ui/images/image-field.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { ItemFrame, type ItemPlace } from './item-frame.tsx'
import { QuestionOptions } from './question-options.tsx'

/** Shows one question of a page. */
export const QuestionItem = ({
  question,
  number,
  problem,
  place,
  answerFields,
  isVirtualised,
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
  actions: ItemActions
  change: ChangeQuestions
}) => {
  const { id, text, type, answers, image_id, image_alt } = question
  const title = `Question ${number}`
  const [hasPicture, showPicture] = useStickyVisibility(image_id !== null)
  const [hasPictures, showPictures] = useStickyVisibility(answers.some((answer) => answer.image_id))
  const [hasJumps, showJumps] = useStickyVisibility(answers.some(({ jump_to }) => jump_to !== null))
  const openJumps = (): void => {
    flushSync(showJumps)
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
      <RichTextField
        has_marks={false}
        listInsertionNames={() => actions.listInsertionNames(id)}
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
      {type === 'scale' && <ScalePicture question={question} title={title} change={change} />}
      <QuestionOptions
        question={question}
        title={title}
        hasScores={answerFields.hasScores}
        listInsertionNames={actions.listInsertionNames}
        change={change}
      />
    </ItemFrame>
  )
}

/** Shows a scale as visitors see it, with fields for the labels of its ends. */
const ScalePicture = ({
  question,
  title,
  change,
}: {
  question: Question
  /** Title of the question, such as 'Question 2'. */
  title: string
  change: ChangeQuestions
}) => {
  const { id } = question
  const { from, to } = scaleOf(question)
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const renderEndLabelField = (name: 'scale_min_label' | 'scale_max_label', className: string) => (
    <TextField
      id={optionId(id, name)}
      label={`${OPTION_LABELS[name]} – ${title}`}
      hideLabel
      placeholder={`Le ${name === 'scale_min_label' ? from : to} veut dire…`}
      autoComplete="off"
      className={`text-sm ${className}`}
      value={question[name] ?? ''}
      maxLength={LIMITS.scale_label}
      onChange={({ currentTarget: { value } }) =>
        change({
          type: 'question_options_set',
          id,
          options: { [name]: value === '' ? null : value },
        })
      }
    />
  )
  return (
    <div className="flex flex-col gap-2">
      <div
        aria-hidden="true"
        className="grid grid-cols-[repeat(auto-fit,minmax(2.25rem,1fr))] gap-1 text-ink-2"
      >
        {numbers.map((number) => (
          <span
            key={number}
            className="rounded-md border border-line py-1 text-center text-sm tabular-nums"
          >
            {number}
          </span>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3">
        {renderEndLabelField('scale_min_label', '')}
        {renderEndLabelField('scale_max_label', 'text-right')}
      </div>
    </div>
  )
}
