import { X } from 'lucide-react'
import { useState } from 'react'
import { shortenText } from '#domain/common/text.ts'
import { CHOICE_SEPARATOR, prefilledReplies } from '#domain/prefilled-links/prefilled-replies.ts'
import { splitQuery } from '#domain/prefilled-links/read-link.ts'
import { choiceValue, parameterOf, writePrefilledLink } from '#domain/prefilled-links/write-link.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { canChooseSeveral, scaleOf } from '#domain/run/replies.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/** Characters of a question in a list or a label. */
const SHOWN_CHARACTERS = 60
const NONE = ''

type Questions = readonly SnapshotQuestion[]

const nameOf = (questions: Questions, question: SnapshotQuestion): string =>
  `${questions.indexOf(question) + 1}. ${shortenText(question.text, SHOWN_CHARACTERS)}`

/** Shows the replies that are equal for all people, and adds and removes them. */
export const ChosenReplies = ({
  questions,
  chosen,
  onChange,
}: {
  questions: Questions
  /** Values by the id of their question. */
  chosen: Readonly<Record<string, string>>
  onChange: (chosen: Record<string, string>) => void
}) => {
  const [shown_ids, setShownIds] = useState<readonly string[]>([])
  const isShown = ({ id }: SnapshotQuestion): boolean => shown_ids.includes(id)
  const setValue = (id: string, value: string): void => onChange({ ...chosen, [id]: value })
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Ajouter une réponse"
        hint="La même pour tous ceux qui reçoivent ce lien."
        value={NONE}
        options={[
          { value: NONE, label: 'Choisir une question…' },
          ...questions
            .filter((question) => !isShown(question))
            .map((question) => ({ value: question.id, label: nameOf(questions, question) })),
        ]}
        onChange={(id) => id !== NONE && setShownIds([...shown_ids, id])}
      />
      {questions.filter(isShown).map((question) => (
        <div key={question.id} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <ReplyField
              questions={questions}
              question={question}
              value={chosen[question.id] ?? NONE}
              onChange={(value) => setValue(question.id, value)}
            />
          </div>
          <IconButton
            label={`Retirer « ${shortenText(question.text, SHOWN_CHARACTERS)} »`}
            icon={<X aria-hidden="true" />}
            onClick={() => {
              setShownIds(shown_ids.filter((id) => id !== question.id))
              setValue(question.id, NONE)
            }}
          />
        </div>
      ))}
    </div>
  )
}

type FieldProps = {
  questions: Questions
  question: SnapshotQuestion
  value: string
  onChange: (value: string) => void
}

/** Returns true if the link of a value fills in the question. */
const isAccepted = ({ questions, question, value }: FieldProps): boolean => {
  const chosen = { [question.id]: value }
  const { values } = splitQuery(writePrefilledLink('', questions, { person: {}, chosen }))
  return question.id in prefilledReplies(questions, values, new Date().getFullYear())
}

const ReplyField = (props: FieldProps) => {
  const { questions, question, value, onChange } = props
  const texts = {
    label: nameOf(questions, question),
    hint: `Dans le lien : ${parameterOf(questions, question)}`,
  }
  if (isChoice(question) && canChooseSeveral(question)) return <Choices {...props} {...texts} />
  if (isChoice(question) || question.type === 'scale') {
    const { from, to } = scaleOf(question)
    const values = isChoice(question)
      ? question.answers.map((answer, rank) => ({
          value: choiceValue(question, answer),
          label: answer.text || `Réponse ${rank + 1}`,
        }))
      : Array.from({ length: to - from + 1 }, (_, rank) => `${from + rank}`).map((number) => ({
          value: number,
          label: number,
        }))
    return (
      <Select
        {...texts}
        value={value}
        options={[{ value: NONE, label: 'Choisir une réponse…' }, ...values]}
        onChange={onChange}
      />
    )
  }
  const field = {
    ...texts,
    value,
    error:
      value !== NONE && !isAccepted(props)
        ? 'La question n’accepte pas cette réponse : le lien serait ouvert sans elle.'
        : undefined,
  }
  return question.type === 'textarea' ? (
    <TextField {...field} multiline onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextField
      {...field}
      type={question.type === 'date' ? 'date' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const Choices = ({
  question,
  value,
  onChange,
  label,
  hint,
}: FieldProps & { label: string; hint: string }) => {
  const ticked = value === NONE ? [] : value.split(CHOICE_SEPARATOR)
  const values = question.answers.map((answer) => choiceValue(question, answer))
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-sm font-medium">{label}</legend>
      {question.answers.map(({ id, text }, rank) => {
        const own = values[rank] ?? ''
        return (
          <Checkbox
            key={id}
            label={text || `Réponse ${rank + 1}`}
            checked={ticked.includes(own)}
            onChange={({ currentTarget }) =>
              onChange(
                values
                  .filter((other) =>
                    other === own ? currentTarget.checked : ticked.includes(other),
                  )
                  .join(CHOICE_SEPARATOR),
              )
            }
          />
        )
      })}
      <p className="text-xs text-ink-3">{hint}</p>
    </fieldset>
  )
}
