import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import type { ListedMapping, MappedTool } from '#contract/forwarding/field-mappings.ts'
import { MAX_MAPPINGS } from '#domain/deliveries/field-mappings.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { newFieldName } from '#domain/deliveries/new-field-name.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { quizNoun } from '#domain/questionnaire/quiz.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { MappingActions } from './mapping-actions.tsx'
import {
  countSentence,
  originOf,
  rolesOf,
  rolesToAdd,
  type SourceChoice,
  shownValue,
  sourceChoices,
  unpublishedRoles,
} from './mapping-labels.ts'
import { SourceMenu } from './source-menu.tsx'
import { useMappingChanges } from './use-mapping-changes.ts'

type Props = {
  draft: EditorDraft
  tool: MappedTool
  /** Mappings of the tool. */
  mappings: readonly ListedMapping[]
  /** Saves pending edits, so that a mapping can refer to them. */
  flush: () => Promise<void>
}

/** Renders a connected tool: its sample contact, one line a field, and the button that adds a field. */
export const SentTool = ({ draft, tool, mappings, flush }: Props) => {
  const { quiz, questions } = draft
  const { provider, sample, used_fields, is_enabled } = tool
  const title = useId()
  const { change, error } = useMappingChanges(quiz.id)
  const name = PROVIDER_LABELS[provider]
  const adderId = `add-field-${provider}`
  const choices = sourceChoices(draft, provider, mappings)
  const roles = rolesOf(questions)
  const mapped_names = mappings.map(({ field_name }) => field_name)
  const isMapped = (role: (typeof roles)[number]): boolean =>
    mappings.some(({ question_id }) =>
      questions.some((question) => question.id === question_id && contactRoleOf(question) === role),
    )
  const notes = [
    is_enabled
      ? null
      : `Ce ${quizNoun(quiz)} n’envoie pas ses participants à ${name} : activez l’envoi plus haut.`,
    unpublishedRoles(provider, roles, sample),
    rolesToAdd(provider, roles, isMapped),
  ].filter((note) => note !== null)
  const add = ({ source, question_id, dimension_id, name: text }: SourceChoice): void => {
    const field_name = newFieldName(provider, text, [
      ...mapped_names,
      ...used_fields.map((field) => field.name),
    ])
    change({
      act: async () => {
        await flush()
        const body = {
          provider,
          source,
          field_name,
          question_id: question_id ?? undefined,
          dimension_id: dimension_id ?? undefined,
        }
        await lazyClient.fieldMappings.add({ id: quiz.id, body })
      },
      done: `Champ ajouté dans ${name} : ${field_name} reçoit ${text}.`,
      failure: 'Le champ n’a pas pu être ajouté. Réessayez.',
    })
  }
  return (
    <section aria-labelledby={title} className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 id={title} tabIndex={-1} className="font-semibold">
        {`Dans ${name}`}
      </h3>
      {notes.map((note) => (
        <p key={note} className="text-sm text-ink-2">
          {note}
        </p>
      ))}
      <ul aria-label={`Exemple de contact dans ${name}`} className="flex flex-col">
        {sample.map((field) => {
          const mapping = mappings.find(({ id }) => id === field.mapping_id)
          return (
            <FieldLine
              key={field.mapping_id ?? `${field.origin} ${field.name}`}
              name={field.name}
              value={shownValue(field)}
              isKept={field.value === null}
              origin={originOf(field, questions, mapping)}
              nextIds={[adderId, title]}
            >
              {mapping && (
                <MappingActions
                  quizId={quiz.id}
                  mapping={mapping}
                  tool={tool}
                  mapped_names={mapped_names.filter(
                    (candidate) => candidate !== mapping.field_name,
                  )}
                  choices={choices}
                  flush={flush}
                />
              )}
            </FieldLine>
          )
        })}
      </ul>
      {mappings.length < MAX_MAPPINGS && (
        <Adder
          nextId={title}
          openerId={adderId}
          text="Ajouter un champ"
          label={`Ajouter un champ dans ${name}`}
          icon={<Plus aria-hidden="true" />}
          choices={choices}
          onChoose={add}
        />
      )}
      <p className="text-sm text-ink-2">{countSentence(provider, mappings.length)}</p>
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </section>
  )
}

const findFirst = (ids: readonly string[]): HTMLElement | null =>
  ids.map((id) => document.getElementById(id)).find((element) => element !== null) ?? null

/** Renders the button that adds a field. The button disappears with the last possible field. */
const Adder = ({ nextId, ...menu }: { nextId: string } & ComponentProps<typeof SourceMenu>) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.getElementById(nextId))
  return (
    <div ref={ref}>
      <SourceMenu {...menu} />
    </div>
  )
}

const FieldLine = ({
  name,
  value,
  isKept,
  origin,
  nextIds,
  children,
}: {
  name: string
  value: string
  /** True if the sample participant leaves the field as it is. */
  isKept: boolean
  origin: string
  /** Elements of which the first gets the focus if the line is deleted. */
  nextIds: readonly string[]
  children: ReactNode
}) => {
  const ref = useFocusFallback<HTMLLIElement>(() => findFirst(nextIds))
  return (
    <li ref={ref} className="flex flex-col gap-2 border-b border-line py-2 last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <p className="min-w-0 wrap-anywhere" dir="auto">
          <span className="font-medium">{`${name} : `}</span>
          <span className={isKept ? 'text-ink-2 italic' : ''}>{value}</span>
        </p>
        <p className="min-w-0 text-xs wrap-anywhere text-ink-2">{origin}</p>
      </div>
      {children}
    </li>
  )
}
